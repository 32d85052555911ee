/**
 * The faults: what each does to the world, and to what of it. A fault waits until all of its target is up: on a slow
 * machine a platform that is down all the time would find nothing out.
 */
import { setTimeout as pause } from 'node:timers/promises';

const worker = (world, random) => random.pick(world.supervisor.free(world.plinth.workers));
const api = (world, random) => random.pick(world.supervisor.free(world.plinth.apis));

/** Says which process it was about. */
function one(pick, act) {
  return async (world, random) => {
    const server = pick(world, random);
    await act(world, server, random);
    return server.title;
  };
}

/** A job that nobody starts is not waited for for ever. */
const NEXT_DISPATCH_MS = 8_000;

const killed = (world, server, random) => world.supervisor.kill(server, random.between(0, 2_500));

const postgres = (crash) => ({
  target: 'postgres',
  run: ({ stores }, random) => stores.postgres.restart({ crash, downMs: random.between(0, 1_500) }),
});

const redis = (crash) => ({
  target: 'redis',
  run: ({ stores }, random) => stores.redis.restart({ crash, downMs: random.between(0, 1_500) }),
});

/** As when a new version is rolled out: told to close, and up again. */
const replaced = (world, server, random) => world.supervisor.replace(server, random.between(0, 500));

export const FAULTS = {
  'kill-worker': { target: 'workers', run: one(worker, killed) },
  'kill-api': { target: 'apis', run: one(api, killed) },
  'kill-all-workers': {
    target: 'workers',
    run: (world, random) =>
      Promise.all(world.supervisor.free(world.plinth.workers).map((server) => killed(world, server, random))),
  },
  'kill-all': {
    target: 'servers',
    run: (world, random) =>
      Promise.all(world.supervisor.free(world.plinth.servers).map((server) => killed(world, server, random))),
  },
  // The one moment that decides about running twice: the job has begun, and its worker has not heard of it.
  'kill-in-dispatch': {
    target: 'workers',
    run: async (world, random) => {
      await Promise.race([world.jobs.nextDispatch(), pause(NEXT_DISPATCH_MS)]);
      const { supervisor, plinth } = world;
      await Promise.all(supervisor.free(plinth.workers).map((server) => killed(world, server, random)));
    },
  },
  'freeze-worker': {
    target: 'workers',
    run: one(worker, (world, server, random) =>
      world.supervisor.freeze(server, random.between(4_500, 8_000)),
    ),
  },
  'deploy-worker': { target: 'workers', run: one(worker, replaced) },
  'deploy-api': { target: 'apis', run: one(api, replaced) },
  'redis-restart': redis(null),
  'redis-kill': redis('SIGKILL'),
  // Longer than a command is waited for: it may be carried out after its sender has given it up.
  'redis-freeze': {
    target: 'redis',
    run: ({ stores }, random) => stores.redis.freeze(random.between(1_000, 7_000)),
  },
  'redis-flush': { target: 'redis', run: ({ stores }) => stores.flushRedis() },
  'redis-old-file': {
    target: 'redis',
    run: ({ stores }, random) => stores.rollRedisBack(random.between(300, 3_000), random.between(0, 1_000)),
  },
  'postgres-restart': postgres(null),
  // SIGQUIT: what is committed survives, nothing is put in order.
  'postgres-crash': postgres('SIGQUIT'),
  'model-error': {
    run: async ({ plinth }, random) =>
      plinth.sim.injectFaults([
        { when: 'next', fault: { kind: 'status', status: random.pick([500, 503, 429]) } },
      ]),
  },
  'model-cut': {
    run: async ({ plinth }, random) =>
      plinth.sim.injectFaults([
        { when: 'next', fault: { kind: 'reset', afterChunks: random.between(1, 20) } },
      ]),
  },
};

/** How often each comes in one round of a long run. */
const WEIGHTS = {
  'kill-worker': 4,
  'kill-api': 3,
  'kill-all-workers': 1,
  'kill-all': 1,
  'kill-in-dispatch': 2,
  'freeze-worker': 2,
  'deploy-worker': 1,
  'deploy-api': 1,
  'redis-restart': 1,
  'redis-kill': 1,
  'redis-freeze': 1,
  'redis-flush': 2,
  'redis-old-file': 1,
  'postgres-restart': 1,
  'postgres-crash': 1,
  'model-error': 1,
  'model-cut': 2,
};

export const ALL_FAULTS = Object.entries(WEIGHTS).flatMap(([name, weight]) => Array(weight).fill(name));
