/**
 * Interrupt and resume on threads of 10, 100 and 400 messages: how long until the interrupt is persisted, until the
 * resumed run speaks and ends, and what is sent to the stores for it. The model answers at once; queue, lease,
 * Postgres (fsync on) and Redis are real.
 *
 * A cycle goes from an answer to the next park. Its bytes are the parameters that the statements to Postgres and the
 * commands to Redis bring, the queue's included: without the text of the statements, the names of the keys, and what
 * the protocols add. What Postgres then writes to its log stands apart. The first change of a page after a checkpoint
 * puts the whole page into that log, so the median of it says more than one cycle.
 */
import { buildThread } from './support/build-thread.mjs';
import { driveRuns, settled } from './support/drive-runs.mjs';
import { conversationOf } from './support/histories.mjs';
import { watchWriteAheadLog } from './support/write-ahead-log.mjs';

const SIZES = [10, 100, 400];
const WARM_UP = 5;
const RUNS = 20;
const CYCLES = 20;

export default async function measure(services) {
  const wal = await watchWriteAheadLog(services.adminUrl);
  try {
    const timed = await bySize(services, { counted: false }, latencies);
    const counted = await bySize(services, { counted: true }, (bench, threadId) =>
      costs(bench, threadId, wal),
    );
    return SIZES.flatMap((_, i) => [...timed[i], ...counted[i]]);
  } finally {
    await wal.close();
  }
}

/** Times are taken without the proxies that count, which take time of their own. */
async function bySize(services, { counted }, take) {
  const bench = await driveRuns(services, { scenario: 'asking', counted });
  try {
    const rows = [];
    for (const size of SIZES) {
      const threadId = await buildThread(bench.platform, bench.tenant, bench.agent, conversationOf(size));
      for (let i = 0; i < WARM_UP; i += 1) await bench.oneCycle(threadId);
      rows.push(
        (await take(bench, threadId)).map((row) => ({ ...row, name: `${row.name}, ${size} messages` })),
      );
    }
    return rows;
  } finally {
    await bench.close();
  }
}

async function latencies(bench, threadId) {
  const warm = [];
  const cold = [];
  const redis = bench.platform.redis.get('commands');
  const dropSnapshot = (run) => redis.del(bench.platform.keys.snapshot(bench.tenant, run.runId));
  for (let i = 0; i < RUNS; i += 1) {
    warm.push(await bench.oneCycle(threadId));
    cold.push(await bench.oneCycle(threadId, dropSnapshot));
  }
  const row = (name, rows, field) => ({ name, unit: 'ms', samples: rows.map((one) => one[field]) });
  return [
    row('run -> interrupt persisted', warm, 'persisted'),
    row('answer -> first model event (snapshot)', warm, 'firstModelEvent'),
    row('answer -> first model event (rebuild)', cold, 'firstModelEvent'),
    row('answer -> finished', warm, 'ended'),
  ];
}

/** What one run with many interrupts sends to the stores, cycle by cycle. */
async function costs(bench, threadId, wal) {
  const { postgres, redis, parked, finished } = bench;
  const run = await bench.start(`ask ${CYCLES + 1} times`, threadId);
  await parked.next(run.runId);
  await settled();
  const cycles = [];
  for (let i = 0; i < CYCLES; i += 1) {
    for (const count of [postgres, redis]) count.take();
    await wal.take();
    await bench.answer(run);
    await parked.next(run.runId);
    await settled();
    const toPostgres = postgres.take();
    const toRedis = redis.take();
    cycles.push({
      bytes: toPostgres.parameterBytes + toRedis.parameterBytes,
      redis: toRedis.parameterBytes,
      statements: toPostgres.statements,
      wal: await wal.take(),
    });
  }
  await bench.answer(run);
  await finished.next(run.runId);
  const sent = (field, index) => ({
    name: `${field} sent, cycle ${index + 1}`,
    unit: field,
    value: cycles[index][field],
  });
  return [
    ...['bytes', 'statements'].flatMap((field) => [sent(field, 0), sent(field, CYCLES - 1)]),
    { name: 'bytes sent to Redis per cycle', unit: 'bytes', samples: cycles.map((cycle) => cycle.redis) },
    { name: 'WAL written per cycle', unit: 'bytes', samples: cycles.map((cycle) => cycle.wal) },
  ];
}
