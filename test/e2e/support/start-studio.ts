import { execFile } from 'node:child_process';
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { startComfyUiSim } from '@plinth/comfyui-sim';
import { type ModelSim, posterStudio, startModelSim } from '@plinth/model-sim';
import type { JsonObject } from '@plinth/protocol';
import { createTestDatabase, createTestRedis, type TestServices } from '@plinth/testkit';
import { freePort, NodeProcess, newApiKey, ROOT, ServerProcess } from '@plinth/testkit/system';
import { Redis } from 'ioredis';
import { type FileHost, startFileHost } from './file-host.js';

/** Poster studio as `npm start` brings it up, on stores of its own, with the processes in the test's hands. */
export interface Studio {
  readonly pageUrl: string;
  readonly server: ServerProcess;
  readonly sim: ModelSim;
  readonly redis: Redis;
  readonly apiKey: string;
  /** A service of files that the tools of `addTools` may call. */
  readonly files: FileHost;
  /** How long a drawing takes, in milliseconds. */
  setJobDelay(delayMs: number): Promise<void>;
  /** A new version of the agent, which has these tools as well. */
  addTools(...tools: JsonObject[]): Promise<void>;
  /** A new version of the agent, with this configuration. */
  configureAgent(config: JsonObject): Promise<void>;
  close(): Promise<void>;
}

interface BusinessTenant {
  config: { outbound: { allow: string[] } };
}

const BUSINESS = `${ROOT}apps/playground/plinth`;
const SECRET = 'pQ7v2Lx9ZkT4mWb8NcY6sLf3HdGa5Ue1RiOoPtXzVwA';

/** @param latency of the model: long enough that a reload can fall into the middle of an answer */
export async function startStudio(
  services: TestServices,
  latency = { firstTokenMs: 30, perChunkMs: 3 },
): Promise<Studio> {
  const database = await createTestDatabase(services);
  const stores = await createTestRedis(services);
  const sim = await startModelSim({ scenarios: [posterStudio], latency });
  const [port, playgroundPort, dataDir] = await Promise.all([
    freePort(),
    freePort(),
    mkdtemp(join(tmpdir(), 'plinth-studio-')),
  ]);
  const apiKey = newApiKey();
  const jobsUrl = `http://127.0.0.1:${playgroundPort}`;
  const secrets = { DATABASE_APP_URL: database.appUrl, PLINTH_SECRET: SECRET };
  const comfyui = await startComfyUiSim({ stepMs: 20 });
  const files = await startFileHost();
  const seed = {
    ...secrets,
    PLINTH_DEMO_API_KEY: apiKey,
    PLAYGROUND_JOBS_URL: jobsUrl,
    PLAYGROUND_JOBS_HOST: new URL(jobsUrl).host,
    COMFYUI_URL: comfyui.url,
    COMFYUI_HOST: new URL(comfyui.url).host,
  };
  const seedFrom = (directory: string) =>
    promisify(execFile)(process.execPath, [`${ROOT}apps/server/dist/seed.js`, directory], {
      env: { PATH: process.env.PATH, ...seed },
    });
  await seedFrom(BUSINESS);
  const playground = new NodeProcess(playgroundPort, 'apps/playground/dist/server/main.js', '/healthz', {
    PLINTH_URL: `http://127.0.0.1:${port}`,
    PLINTH_API_KEY: apiKey,
    PLAYGROUND_JOB_DELAY_MS: '1200',
    PLAYGROUND_INSPECTOR: 'on',
  });
  const server = new ServerProcess(port, 'all', {
    ...secrets,
    REDIS_URL: stores.url,
    PLINTH_DATA_DIR: dataDir,
    OPENAI_BASE_URL: sim.url,
    OPENAI_API_KEY: 'test',
    PLAYGROUND_URL: jobsUrl,
    PLINTH_OUTBOUND_TENANT_ALLOW: [jobsUrl, comfyui.url, files.url].map((one) => new URL(one).host).join(','),
    PLINTH_LOG_LEVEL: 'warn',
  });
  await Promise.all([playground.start(), server.start()]);
  const newVersion = async (tools: readonly JsonObject[], config: JsonObject) => {
    const directory = await mkdtemp(join(tmpdir(), 'plinth-business-'));
    await cp(BUSINESS, directory, { recursive: true });
    const agent = JSON.parse(await readFile(join(directory, 'agent.json'), 'utf8')) as {
      tools: string[];
      config: JsonObject;
    };
    agent.tools.push(...tools.map(({ key }) => String(key)));
    agent.config = { ...agent.config, ...config };
    await writeFile(join(directory, 'agent.json'), JSON.stringify(agent));
    const tenant = JSON.parse(await readFile(join(directory, 'tenant.json'), 'utf8')) as BusinessTenant;
    tenant.config.outbound.allow.push(files.host);
    await writeFile(join(directory, 'tenant.json'), JSON.stringify(tenant));
    for (const tool of tools)
      await writeFile(join(directory, 'tools', `${tool.key}.json`), JSON.stringify(tool));
    await seedFrom(directory);
    await rm(directory, { recursive: true, force: true });
  };
  const redis = new Redis(stores.url);
  return {
    pageUrl: `${server.url}/playground/`,
    server,
    sim,
    redis,
    apiKey,
    files,
    async setJobDelay(delayMs) {
      const answer = await fetch(`${jobsUrl}/jobs/settings`, {
        method: 'PUT',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ delayMs }),
      });
      if (!answer.ok)
        throw new Error(`the job service refused a delay of ${delayMs} ms: ${await answer.text()}`);
    },
    addTools: (...tools) => newVersion(tools, {}),
    configureAgent: (config) => newVersion([], config),
    async close() {
      await Promise.all([server.stop('SIGTERM'), playground.stop('SIGTERM')]);
      redis.disconnect();
      await Promise.all([
        sim.close(),
        comfyui.close(),
        files.close(),
        stores.drop(),
        rm(dataDir, { recursive: true, force: true }),
      ]);
      await database.drop();
    },
  };
}
