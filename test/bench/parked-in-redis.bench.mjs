/**
 * What a parked run takes in Redis, and how fast it goes on, by the length of its thread: 10, 100 and 400 messages.
 *
 * Memory is what Redis says of the keys (MEMORY USAGE over all their elements): the snapshot, and the message's event
 * log with its fence and its seen ids. Written is what the commands to Redis bring while a run works, the queue's
 * included: from its start to its first park, which stores the history once, and from an answer to the next park,
 * which must not depend on the history. A resume goes from the answer to the first event of the model, with the snapshot in place.
 */
import { buildThread } from './support/build-thread.mjs';
import { driveRuns, settled } from './support/drive-runs.mjs';
import { conversationOf } from './support/histories.mjs';

const SIZES = [10, 100, 400];
const RESUMES = Number(process.env.PLINTH_BENCH_RESUMES ?? 60);
/** They differ by a few bytes only. */
const WEIGHED_RUNS = 5;

export default async function measure(services) {
  const bench = await driveRuns(services, { scenario: 'asking' });
  try {
    const measurements = [];
    for (const size of SIZES) {
      const threadId = await buildThread(bench.platform, bench.tenant, bench.agent, conversationOf(size));
      await bench.oneCycle(threadId);
      const weighed = [];
      for (let i = 0; i < WEIGHED_RUNS; i += 1) weighed.push(await weigh(bench, threadId));
      const resumes = [];
      for (let i = 0; i < RESUMES; i += 1) resumes.push((await bench.oneCycle(threadId)).firstModelEvent);
      const row = (name, unit, samples) => ({ name: `${name}, ${size} messages`, unit, samples });
      const bytes = (name, field) =>
        row(
          name,
          'bytes',
          weighed.map((run) => run[field]),
        );
      measurements.push(
        bytes('memory of the snapshot', 'snapshot'),
        bytes('memory of the event log', 'log'),
        bytes('written to Redis, start -> first park', 'firstPark'),
        bytes('written to Redis, answer -> next park', 'nextPark'),
        row('resume', 'ms', resumes),
      );
    }
    return measurements;
  } finally {
    await bench.close();
  }
}

/** A run that asks twice: its memory at the first park, and what is sent to Redis before each of the two. */
async function weigh(bench, threadId) {
  const { parked, finished, redis } = bench;
  redis.take();
  const run = await bench.start('ask 2 times', threadId);
  await parked.next(run.runId);
  await settled();
  const firstPark = redis.take().parameterBytes;
  const memory = await memoryOf(bench, run);
  redis.take();
  await bench.answer(run);
  await parked.next(run.runId);
  await settled();
  const nextPark = redis.take().parameterBytes;
  await bench.answer(run);
  await finished.next(run.runId);
  return { ...memory, firstPark, nextPark };
}

async function memoryOf({ platform: { keys, redis }, tenant }, { runId, messageId }) {
  const commands = redis.get('commands');
  // All elements are looked at, where Redis would otherwise guess from five.
  const usage = async (key) => Number((await commands.memory('USAGE', key, 'SAMPLES', 0)) ?? 0);
  const { entries, head, seen } = keys.log(tenant, { kind: 'message', id: messageId });
  const log = await Promise.all([entries, head, seen].map(usage));
  return {
    snapshot: await usage(keys.snapshot(tenant, runId)),
    log: log.reduce((sum, bytes) => sum + bytes, 0),
  };
}
