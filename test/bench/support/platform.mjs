/** The server's own wiring in this process, its stores behind proxies that count, and hooks on what it writes. */
import { seedBusiness } from '@plinth/testkit/system';
import { readEnvironment } from '../../../apps/server/dist/platform/config/environment.js';
import { createLogger } from '../../../apps/server/dist/platform/logging/logger.js';
import { buildPlatform } from '../../../apps/server/dist/platform/wiring/build-platform.js';
import { startWorker } from '../../../apps/server/dist/platform/wiring/worker.js';
import { startCountingProxy, withoutProxy } from './counting-proxy.mjs';
import { startModelProcess } from './model-process.mjs';

const SECRET = 'bQ7v2Lx9ZkT4mWb8NcY6sLf3HdGa5Ue1RiOoPtXzVwA';

export const askTool = {
  key: 'ask',
  title: 'Ask',
  description: 'Asks the person.',
  parameters: { type: 'object', properties: { question: { type: 'string' } }, required: ['question'] },
  executor: {
    kind: 'component',
    component: 'Ask',
    submit: { type: 'object', properties: { answer: { type: 'string' } }, required: ['answer'] },
  },
};

/** The adapters alone, without a worker, and the tenant `bench`, which must have been seeded. */
export async function openPlatform({ appUrl, redisUrl }, environment = {}) {
  const complete = readEnvironment({
    DATABASE_APP_URL: appUrl,
    REDIS_URL: redisUrl,
    PLINTH_SECRET: SECRET,
    PLINTH_DATA_DIR: '/tmp/plinth-bench',
    PLINTH_LOG_LEVEL: 'error',
    ...environment,
  });
  const platform = await buildPlatform(complete, createLogger('error'));
  const [{ tenant_id: tenant }] = await platform.database.platform()
    .$queryRaw`SELECT * FROM plinth.find_tenant('bench')`;
  return { platform, tenant };
}

/** Starts everything; `on.parked`, `on.finished` and `on.modelEvent` are called as it happens. */
export async function startPlatform({ appUrl, redisUrl }, { scenario, on = {}, counted = true }) {
  const reach = counted ? startCountingProxy : withoutProxy;
  const sim = await startModelProcess(scenario);
  await seedBusiness({ key: 'bench', tools: [askTool] }, { DATABASE_APP_URL: appUrl, PLINTH_SECRET: SECRET });
  const postgres = await reach(appUrl);
  const redis = await reach(redisUrl);
  const { platform, tenant } = await openPlatform(
    { appUrl: postgres.url, redisUrl: redis.url },
    {
      OPENAI_BASE_URL: sim.url,
      OPENAI_API_KEY: 'bench',
      // The sweeper's own reading would be counted with what a run costs.
      PLINTH_SWEEP_MS: '60000',
    },
  );
  observe(platform, on);
  const worker = await startWorker(platform, 'http://127.0.0.1:9');
  const agent = await platform.agents.newest(tenant, 'tester');
  return {
    platform,
    tenant,
    agent,
    postgres,
    redis,
    sim,
    async close() {
      await worker.close();
      await platform.close();
      await sim.close();
      postgres.close();
      redis.close();
    },
  };
}

function observe({ ledger, writer }, on) {
  const transact = ledger.transact.bind(ledger);
  ledger.transact = async (tenant, runId, decide) => {
    let changes = [];
    const outcome = await transact(tenant, runId, (locked) => {
      const decided = decide(locked);
      changes = decided.decision.changes;
      return decided;
    });
    for (const change of changes)
      if (change.type === 'interrupt.open') on.opened?.(runId, change.interrupt.id);
    const status = changes.findLast((change) => change.type === 'run.update' && change.set.status)?.set
      .status;
    if (status === 'interrupted') on.parked?.(runId);
    if (status === 'completed' || status === 'failed') on.finished?.(runId, status);
    return outcome;
  };
  const delta = writer.delta.bind(writer);
  writer.delta = async (tenant, stream, fence, payload) => {
    const outcome = await delta(tenant, stream, fence, payload);
    if (payload.startsWith('{"type":"text.delta"')) on.modelEvent?.(stream.id);
    return outcome;
  };
}
