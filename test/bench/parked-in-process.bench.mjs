/**
 * What parked runs leave in the server process: a real one, API and worker in one, in which 2,000 runs are started over
 * HTTP and park. Its memory is read after a garbage collection: when 1,000 runs before them have warmed it up, half-way,
 * and with all of them parked. The growth is per parked run between two readings: the heap tells what is held, the
 * resident size also what the allocator does not give back. The warming up also fills what is bounded by a number: the
 * ends of the logs that were written to last, and the ids of the events published last.
 */
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { askTool } from './support/platform.mjs';
import { startProbedPlinth } from './support/probed-plinth.mjs';
import { askingScenario } from './support/scenarios.mjs';

const RUNS = Number(process.env.PLINTH_BENCH_PARKED_RUNS ?? 2_000);
const WARM_UP = Number(process.env.PLINTH_BENCH_PARKED_BEFORE ?? 1_000);
/** Started at once. */
const CLIENTS = 16;

export default async function measure(services) {
  const { plinth, memory } = await startProbedPlinth(services, { tools: [askTool] });
  const database = new pg.Client({ connectionString: services.adminUrl });
  await database.connect();
  plinth.sim.setScenarios([askingScenario]);
  const parkMore = async (count) => {
    await startRuns(plinth.backend, count);
    await allParked(database);
    // Their events are out, and what is noted of that.
    await pause(1_000);
    plinth.sim.clearRequests();
    return memory();
  };
  try {
    const before = await parkMore(WARM_UP);
    const half = await parkMore(RUNS / 2);
    const after = await parkMore(RUNS / 2);
    const row = (name, unit, value) => ({ name, unit, value });
    const mebibytes = (bytes) => bytes / 2 ** 20;
    const growth = (field, from, to, runs) => (to[field] - from[field]) / runs;
    return [
      ['heapUsed', 'heap'],
      ['rss', 'resident'],
    ].flatMap(([field, what]) => [
      row(`${what}, ${WARM_UP} parked (warmed up)`, 'MiB', mebibytes(before[field])),
      row(`${what}, ${WARM_UP + RUNS / 2} parked`, 'MiB', mebibytes(half[field])),
      row(`${what}, ${WARM_UP + RUNS} parked`, 'MiB', mebibytes(after[field])),
      row(`growth per parked run, ${what}`, 'bytes', growth(field, before, after, RUNS)),
      row(`growth per parked run, ${what}, second half`, 'bytes', growth(field, half, after, RUNS / 2)),
    ]);
  } finally {
    await database.end();
    await plinth.close();
  }
}

async function startRuns(backend, count) {
  let left = count;
  const client = async (person) => {
    while (left > 0) {
      left -= 1;
      await backend.call('POST', '/v1/runs', {
        agent: 'tester',
        endUserId: `person-${person}`,
        input: { text: 'ask 1 times' },
      });
    }
  };
  await Promise.all(Array.from({ length: CLIENTS }, (_, index) => client(index)));
}

/** Asked of the database, so that the server is not busy with answering. */
async function allParked(database) {
  for (;;) {
    const { rows } = await database.query(
      "SELECT count(*) FILTER (WHERE status <> 'interrupted')::int AS working FROM run",
    );
    if (rows[0].working === 0) return;
    await pause(200);
  }
}
