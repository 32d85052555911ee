/** Everything that a chaos run happens in: stores, two API and two worker processes, a model, a job service. */
import { setTimeout as pause } from 'node:timers/promises';
import { startPlinth } from '@plinth/testkit/system';
import { JobWorker } from './job-worker.mjs';
import { LogBook } from './log-book.mjs';
import { chaosScenario } from './model.mjs';
import { startStores } from './stores.mjs';
import { Supervisor } from './supervisor.mjs';
import { toolsOf } from './tools.mjs';

/** Short, so that what a death costs is over soon. The rules are the same. */
const ENVIRONMENT = { PLINTH_LEASE_MS: '4000', PLINTH_SWEEP_MS: '1000', PLINTH_WORKER_CONCURRENCY: '12' };
/** Time within an answer, so that faults find runs in the middle of one. */
const LATENCY = { firstTokenMs: 40, perChunkMs: 5 };

const SESSION_ATTEMPTS = 100;

export async function startWorld({ planOf }) {
  const began = performance.now();
  const now = () => Math.round(performance.now() - began);
  const logBook = new LogBook(now);
  const supervisor = new Supervisor({ now, logBook });
  const stores = await startStores();
  const names = new Map();
  const watch = (server) => {
    const nth = (names.get(server.role) ?? 0) + 1;
    names.set(server.role, nth);
    supervisor.watch(server, `${server.role}-${nth}`);
  };
  const business = (jobs) => ({ key: 'chaos', tools: toolsOf(jobs) });
  const { appUrl, redisUrl } = stores;
  const options = { topology: 'cluster', appUrl, redisUrl, business, environment: ENVIRONMENT, watch };
  const plinth = await startPlinth(options).catch(async (error) => {
    await stores.stop();
    throw error;
  });
  plinth.sim.setScenarios([chaosScenario]);
  plinth.sim.setLatency(LATENCY);

  const stopped = new AbortController();
  const faults = {};
  const count = (what) => {
    faults[what] = (faults[what] ?? 0) + 1;
  };
  const sessions = new Map();
  return {
    now,
    count,
    faults,
    logBook,
    supervisor,
    stores,
    plinth,
    jobs: new JobWorker({ jobs: plinth.jobs, planOf, now, signal: stopped.signal, count }),
    signal: stopped.signal,
    /** A client with the session of this person. When the API dies while it is asked, it is asked again. */
    async session(person) {
      for (let attempt = 1; !sessions.has(person); attempt += 1) {
        try {
          sessions.set(person, await plinth.session(person));
        } catch (error) {
          if (attempt === SESSION_ATTEMPTS) throw error;
          await pause(200);
        }
      }
      return sessions.get(person);
    },
    stopClients: () => stopped.abort(),
    async close() {
      stopped.abort();
      supervisor.close();
      await plinth.close();
      await stores.stop();
    },
  };
}
