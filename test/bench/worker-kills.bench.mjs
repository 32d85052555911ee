/**
 * SIGKILL of a worker at random points, while runs come in all the time: two API and four worker processes, a model
 * that streams, a service that takes jobs. One worker after the other is killed, at a random moment of its work,
 * and started again, while others go on. `-- worker-kills --kills 200` for the long one.
 *
 * What counts is what the outside saw. Lost: a run that did not complete; its story is written beside the figures.
 * Twice: a call of the tool that is not idempotent, of which the service got more than one dispatch. Doubled: a run that
 * charged more than once, or an idempotent job that was offered again under another key. Lease and sweeper have the
 * times that the product ships with, so that the time to take over is what an operator gets.
 */
import { scripted } from '@plinth/model-sim';
import { startPlinth } from '@plinth/testkit/system';
import pg from 'pg';
import { jobsWithDelays, paymentSteps, paymentTools, playRun } from './support/payment-runs.mjs';
import { mostAttempts, noteClaims, takeOverTimes } from './worker-kills/claims.mjs';
import { killInTurn } from './worker-kills/kill-workers.mjs';
import { tellLostRuns } from './worker-kills/tell-run.mjs';

/** Without `--kills`: two minutes. */
const KILLS = 30;
const WORKERS = 4;
/** Runs under way at all times: as many as a machine can serve, however slow it is. */
const RUNS_AT_ONCE = 16;
/** What has not completed so long after the last kill is lost: many times what one recovery takes. */
const PATIENCE_MS = 180_000;

export default async function measure(services, { kills = KILLS }) {
  const said = [];
  const plinth = await startPlinth({
    topology: 'cluster',
    workers: WORKERS,
    appUrl: services.appUrl,
    redisUrl: services.redisUrl,
    business: (jobs) => ({ key: 'bench', tools: paymentTools(jobs) }),
    environment: { NODE_ENV: 'production' },
    watch: (server) => {
      server.onOutput = (text) => said.push({ at: new Date(), text });
    },
  });
  const database = new pg.Client({ connectionString: services.adminUrl });
  await database.connect();
  await noteClaims(database);
  plinth.sim.setScenarios([scripted(paymentSteps)]);
  plinth.sim.setLatency({ firstTokenMs: 20, perChunkMs: 5 });
  plinth.jobs.react = jobsWithDelays(plinth);
  try {
    const killing = new AbortController();
    const patience = new AbortController();
    const playing = playRuns(plinth, killing.signal, patience.signal);
    // What rejects while the killing goes on is reported by the wait for it.
    playing.catch(() => {});
    const losses = await killInTurn(plinth.workers, database, kills);
    killing.abort();
    const timer = setTimeout(() => patience.abort(), PATIENCE_MS);
    const runs = await playing;
    clearTimeout(timer);
    const { dispatches } = plinth.jobs;
    const evidence = { database, redisUrl: services.redisUrl, losses: losses.flat(), dispatches, said };
    await tellLostRuns(evidence, runs.filter(isLost));
    return [
      ...rowsOf(losses, runs, dispatches),
      ...recoveryRows(await takeOverTimes(database, losses.flat()), await mostAttempts(database)),
    ];
  } finally {
    await database.end();
    await plinth.close();
  }
}

/** Plays one run after another, so many at once, until the killing ends. Resolves when the last ones have ended. */
async function playRuns(plinth, stop, patience) {
  const session = await plinth.session('ada');
  const runs = [];
  const lane = async () => {
    while (!stop.aborted) runs.push(await playRun(session, patience));
  };
  await Promise.all(Array.from({ length: RUNS_AT_ONCE }, lane));
  return runs;
}

const isLost = ({ ended }) => ended !== 'completed';
const count = (name, value) => ({ name, unit: 'count', value });

function rowsOf(losses, runs, dispatches) {
  const charges = dispatches.filter(({ path }) => path === '/charge');
  const notices = dispatches.filter(({ path }) => path === '/notify');
  const again = (list, of) => list.length - new Set(list.map(of)).size;
  return [
    count('kills', losses.length),
    count('kills of a worker that held runs', losses.filter((holds) => holds.length > 0).length),
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

function recoveryRows(takeOvers, attempts) {
  return [
    count('runs held by a worker as it was killed', takeOvers.length),
    count('of these never taken over', takeOvers.filter((ms) => ms === null).length),
    { name: 'from the kill to the take-over', unit: 'ms', samples: takeOvers.filter((ms) => ms !== null) },
    count('workers lost in a row by one run at most', attempts),
  ];
}

const againUnderAnotherKey = (list) =>
  new Set(list.map(({ runId, idempotencyKey }) => `${runId} ${idempotencyKey}`)).size -
  new Set(list.map(({ runId }) => runId)).size;
