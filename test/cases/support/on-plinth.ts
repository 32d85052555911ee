import { scripted } from '@plinth/model-sim';
import type { JsonObject } from '@plinth/protocol';
import { createTestDatabase, createTestRedis } from '@plinth/testkit';
import {
  type PlinthUnderTest,
  type RedisProxy,
  startPlinth,
  startRedisProxy,
  type Topology,
} from '@plinth/testkit/system';
import { Redis } from 'ioredis';
import { afterAll, afterEach, beforeAll, beforeEach, describe, inject } from 'vitest';
import { isParked, snapshotKeys } from './redis-state.js';

export type ScriptStep = Parameters<typeof scripted>[0][number];

/** One request to the model, as far as the cases look at it. */
export interface ModelRequestBody {
  messages: {
    role: string;
    content?: string;
    tool_call_id?: string;
    tool_calls?: { id: string; function: { name: string; arguments: string } }[];
  }[];
  tools: { function: { name: string; parameters: JsonObject } }[];
}

/** What a case gets: a whole platform of real processes, its stores, and a model that follows a script. */
export interface Case {
  readonly plinth: PlinthUnderTest;
  readonly redis: Redis;
  readonly adminUrl: string;
  /** What the platform's processes reach their Redis through. */
  readonly redisProxy: RedisProxy;
  /** The model's answers, one a turn, whatever it is sent. */
  script(...steps: ScriptStep[]): void;
  /** Begins to count the requests to the model from here. Setting a script does it too. */
  countRequests(): void;
  /** The body of the n-th request to the model since then. */
  requestBody(index: number): ModelRequestBody;
  /** How many there were since then. */
  requestCount(): number;
  /** Resolves when the run waits and all that it wrote before is in place: its snapshot, and the event that says so. */
  parked(run: { runId: string; messageId: string }): Promise<void>;
  /** Removes the run's snapshot, as if its time had passed. */
  dropSnapshot(runId: string): Promise<void>;
}

export interface CaseOptions {
  environment?: Record<string, string>;
  config?: JsonObject;
  /** Texts of skill files by their key. */
  skills?: Readonly<Record<string, string>>;
  /** Put a proxy before the platform's Redis. */
  throughRedisProxy?: boolean;
}

/** Milliseconds for one case on a machine that runs several suites at once. */
export const PATIENT_MS = 180_000;

/** Runs a case on one process, and on two API and two worker processes behind a proxy without sticky sessions. */
export function onEveryTopology(
  name: string,
  tools: (jobs: string) => JsonObject[],
  define: (use: () => Case, topology: Topology) => void,
  options: CaseOptions = {},
): void {
  describe.each<Topology>(['single', 'cluster'])(`${name} (%s)`, { timeout: PATIENT_MS }, (topology) => {
    let current: Case;
    let close = async () => {};
    beforeAll(async () => {
      ({ current, close } = await open(topology, tools, options));
    }, PATIENT_MS);
    beforeEach(() => {
      current.plinth.sim.setScenarios([]);
      current.plinth.sim.setLatency({ firstTokenMs: 0, perChunkMs: 0 });
      current.plinth.sim.setPersona(undefined);
      current.plinth.sim.clearFaults();
      current.plinth.jobs.react = async () => ({ status: 202, body: { accepted: true } });
    });
    afterEach(({ task }) => {
      if (task.result?.state !== 'fail') return;
      for (const { role, port, log } of current.plinth.servers)
        if (log) console.log(`${role} on ${port} wrote last:\n${log.slice(-3000)}`);
    });
    afterAll(() => close(), PATIENT_MS);
    define(() => current, topology);
  });
}

async function open(
  topology: Topology,
  tools: (jobs: string) => JsonObject[],
  { environment = {}, config = {}, skills = {}, throughRedisProxy = false }: CaseOptions,
): Promise<{ current: Case; close: () => Promise<void> }> {
  const provided = inject('plinth');
  const database = await createTestDatabase(provided);
  const stores = await createTestRedis(provided);
  const redisProxy = await startRedisProxy(stores.url);
  const redisUrl = throughRedisProxy ? redisProxy.url : stores.url;
  const business = (jobs: string) => ({ key: 'acme', tools: tools(jobs), skills, config });
  const plinth = await startPlinth({ topology, appUrl: database.appUrl, redisUrl, business, environment });
  const redis = new Redis(stores.url);
  let counted = 0;
  const current: Case = {
    plinth,
    redis,
    adminUrl: database.adminUrl,
    redisProxy,
    script(...steps) {
      plinth.sim.setScenarios([scripted(steps)]);
      current.countRequests();
    },
    countRequests() {
      counted = plinth.sim.requests.length;
    },
    requestBody: (index) => JSON.parse(plinth.sim.requests[counted + index]?.raw ?? '{}'),
    requestCount: () => plinth.sim.requests.length - counted,
    parked: ({ runId, messageId }) => isParked(redis, runId, messageId),
    async dropSnapshot(runId) {
      const keys = await snapshotKeys(redis, runId);
      if (keys.length === 0) throw new Error(`run ${runId} has no snapshot`);
      await redis.del(...keys);
    },
  };
  const close = async () => {
    await plinth.close();
    redis.disconnect();
    await redisProxy.close();
    await stores.drop();
    await database.drop();
  };
  return { current, close };
}
