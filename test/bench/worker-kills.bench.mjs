/**
 * SIGKILL of a worker at 40 random points (`PLINTH_BENCH_KILLS=200` for the long one), while runs come in all the time:
 * two API and two worker processes, a model that streams, a service that takes jobs. One worker after the other is
 * killed, a random moment after it has begun to work, and started again, while the other one goes on.
 *
 * What counts is what the outside saw. Lost: a run that did not complete. Twice: a call of the tool that is not
 * idempotent, of which the service got more than one dispatch. Doubled: a run that charged more than once, or an
 * idempotent job that was offered again under another key. The lease is 2 s, so that a short run sees many recoveries.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { scripted } from '@plinth/model-sim';
import { startPlinth } from '@plinth/testkit/system';
import pg from 'pg';
import { jobsWithDelays, paymentSteps, paymentTools, playRun } from './support/payment-runs.mjs';

const KILLS = Number(process.env.PLINTH_BENCH_KILLS ?? 40);
const RUNS_PER_SECOND = 4;
const MOST_AT_ONCE = 60;
/** About as long as a worker works on a run without a wait: the kill may fall anywhere into it. */
const LONGEST_LIFE_MS = 300;
/** A worker that gets no run within this time is killed all the same. */
const LONGEST_IDLE_MS = 5_000;
/** What has not completed so long after the last kill is lost: several times what one recovery takes. */
const PATIENCE_MS = 60_000;

export default async function measure(services) {
  const plinth = await startPlinth({
    topology: 'cluster',
    appUrl: services.appUrl,
    redisUrl: services.redisUrl,
    business: (jobs) => ({ key: 'bench', tools: paymentTools(jobs) }),
    environment: { NODE_ENV: 'production', PLINTH_LEASE_MS: '2000', PLINTH_SWEEP_MS: '500' },
  });
  const database = new pg.Client({ connectionString: services.adminUrl });
  await database.connect();
  plinth.sim.setScenarios([scripted(paymentSteps)]);
  plinth.sim.setLatency({ firstTokenMs: 20, perChunkMs: 5 });
  plinth.jobs.react = jobsWithDelays(plinth);
  try {
    const killing = new AbortController();
    const patience = new AbortController();
    const playing = playRuns(plinth, killing.signal, patience.signal);
    const kills = await killInTurn(plinth.workers, database);
    killing.abort();
    const timer = setTimeout(() => patience.abort(), PATIENCE_MS);
    const runs = await playing;
    clearTimeout(timer);
    return rowsOf(kills, runs, plinth.jobs.dispatches);
  } finally {
    await database.end();
    await plinth.close();
  }
}

/** Starts runs until the killing ends, and resolves when all of them have ended, or patience has. */
async function playRuns(plinth, stop, patience) {
  const session = await plinth.session('ada');
  const runs = [];
  let open = 0;
  while (!stop.aborted) {
    if (open < MOST_AT_ONCE) {
      open += 1;
      const one = playRun(session, patience).finally(() => {
        open -= 1;
      });
      // Whatever rejects is reported by the wait for all of them.
      one.catch(() => {});
      runs.push(one);
    }
    await pause(1000 / RUNS_PER_SECOND);
  }
  return Promise.all(runs);
}

/** Returns for each kill how many runs the worker held. */
async function killInTurn(workers, database) {
  const runsOf = async (pid) => {
    const { rows } = await database.query(
      "SELECT count(*)::int AS held FROM run WHERE status = 'running' AND lease_owner LIKE $1",
      [`%:${pid}:%`],
    );
    return rows[0].held;
  };
  const held = [];
  for (let i = 0; i < KILLS; i += 1) {
    const worker = workers[i % workers.length];
    const { pid } = worker;
    const deadline = performance.now() + LONGEST_IDLE_MS;
    while ((await runsOf(pid)) === 0 && performance.now() < deadline) await pause(5);
    await pause(Math.random() * LONGEST_LIFE_MS);
    await worker.stop('SIGKILL');
    held.push(await runsOf(pid));
    await worker.start();
  }
  return held;
}

function rowsOf(kills, runs, dispatches) {
  const count = (name, value) => ({ name, unit: 'count', value });
  const charges = dispatches.filter(({ path }) => path === '/charge');
  const notices = dispatches.filter(({ path }) => path === '/notify');
  const again = (list, of) => list.length - new Set(list.map(of)).size;
  const isLost = ({ ended }) => ended !== 'completed';
  return [
    count('kills', kills.length),
    count('kills of a worker that held runs', kills.filter((held) => held > 0).length),
    count('runs', runs.length),
    count('charges', charges.length),
    count('runs lost', runs.filter(isLost).length),
    count(
      'non-idempotent tools run twice',
      again(charges, ({ callId }) => callId),
    ),
    count('charges doubled', again(charges, ({ runId }) => runId) + againUnderAnotherKey(notices)),
    count(
      'idempotent tools offered again, same key',
      again(notices, ({ idempotencyKey }) => idempotencyKey),
    ),
    count(
      'calls whose outcome is unknown, and said so',
      runs.reduce((sum, { unknown }) => sum + unknown, 0),
    ),
    count('forms asked twice', runs.filter(({ asked }) => asked.size > 1).length),
    count('streams with a gap or a repeat', runs.filter(({ badStreams }) => badStreams > 0).length),
    { name: 'a run, from start to end', unit: 'ms', samples: runs.map(({ tookMs }) => tookMs) },
  ];
}

const againUnderAnotherKey = (list) =>
  new Set(list.map(({ runId, idempotencyKey }) => `${runId} ${idempotencyKey}`)).size -
  new Set(list.map(({ runId }) => runId)).size;
