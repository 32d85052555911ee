import { scripted } from '@plinth/model-sim';
import type { JsonObject } from '@plinth/protocol';
import { createTestDatabase, createTestRedis } from '@plinth/testkit';
import { type PlinthUnderTest, startPlinth, type Topology } from '@plinth/testkit/system';
import { Redis } from 'ioredis';
import { afterAll, beforeAll, beforeEach, describe, inject } from 'vitest';

export type ScriptStep = Parameters<typeof scripted>[0][number];

/** What a case gets: a whole platform of real processes, its stores, and a model that follows a script. */
export interface Case {
  readonly plinth: PlinthUnderTest;
  readonly redis: Redis;
  readonly adminUrl: string;
  /** The model's answers, one a turn, whatever it is sent. */
  script(...steps: ScriptStep[]): void;
  /** The body of the n-th request to the model since the script was set. */
  requestBody(index: number): { messages: { role: string; tool_call_id?: string; content?: string }[] };
  /** Removes the run's snapshot, as if its time had passed. */
  dropSnapshot(runId: string): Promise<void>;
}

/** Runs a case on one process, and on two API and two worker processes behind a proxy without sticky sessions. */
export function onEveryTopology(
  name: string,
  tools: (jobs: string) => JsonObject[],
  define: (use: () => Case) => void,
): void {
  describe.each<Topology>(['single', 'cluster'])(`${name} (%s)`, (topology) => {
    let current: Case;
    let close = async () => {};
    beforeAll(async () => {
      const provided = inject('plinth');
      const database = await createTestDatabase(provided);
      const stores = await createTestRedis(provided);
      const business = (jobs: string) => ({ key: 'acme', tools: tools(jobs) });
      const plinth = await startPlinth({ topology, appUrl: database.appUrl, redisUrl: stores.url, business });
      const redis = new Redis(stores.url);
      current = {
        plinth,
        redis,
        adminUrl: database.adminUrl,
        script: (...steps) => {
          plinth.sim.setScenarios([scripted(steps)]);
          plinth.sim.clearRequests();
        },
        requestBody: (index) => JSON.parse(plinth.sim.requests[index]?.raw ?? '{}'),
        async dropSnapshot(runId) {
          const keys = await redis.keys(`plinth:{run:${runId}}:*:snapshot`);
          if (keys.length === 0) throw new Error(`run ${runId} has no snapshot`);
          await redis.del(...keys);
        },
      };
      close = async () => {
        await plinth.close();
        redis.disconnect();
        await stores.drop();
        await database.drop();
      };
    }, 60_000);
    beforeEach(() => {
      current.plinth.sim.setScenarios([]);
      current.plinth.jobs.react = async () => ({ status: 202, body: { accepted: true } });
    });
    afterAll(() => close());
    define(() => current);
  });
}
