/**
 * Interrupt and resume on threads of 10, 100 and 400 messages: how long until the interrupt is persisted, until the
 * resumed run speaks and ends, and what is sent to the stores for it. The model answers at once; queue, lease,
 * Postgres (fsync on) and Redis are real.
 */
import { answerInterrupt, startRun } from '@plinth/engine';
import { askingScenario } from './support/asking-scenario.mjs';
import { buildThread } from './support/build-thread.mjs';
import { conversationOf } from './support/histories.mjs';
import { startPlatform } from './support/platform.mjs';
import { signals } from './support/signals.mjs';

const SIZES = [10, 100, 400];
const RUNS = 20;
const CYCLES = 20;

export default async function measure(services) {
  const parked = signals();
  const finished = signals();
  const spoke = signals();
  const opened = new Map();
  const note = (runId, interruptId) => opened.set(runId, interruptId);
  const on = { opened: note, parked: parked.note, finished: finished.note, modelEvent: spoke.note };
  const bench = await startPlatform(services, { scenarios: [askingScenario], on });
  try {
    const measurements = [];
    for (const size of SIZES) {
      const threadId = await buildThread(bench.platform, bench.tenant, bench.agent, conversationOf(size));
      const measured = { ...bench, threadId, opened, parked, finished, spoke };
      await oneRun(measured);
      measurements.push(...(await latencies(measured, size)), ...(await costs(measured, size)));
    }
    return measurements;
  } finally {
    await bench.close();
  }
}

const start = ({ platform, tenant, threadId }, text) =>
  startRun(platform.door, tenant, {
    endUserId: 'bench',
    threadId,
    agent: 'tester',
    text,
    onBusy: 'reject',
    idempotencyKey: null,
  });

async function answer(bench, run) {
  const { platform, tenant, parked, finished, spoke } = bench;
  const id = bench.opened.get(run.runId);
  for (const signal of [parked, finished]) signal.forget(run.runId);
  spoke.forget(run.messageId);
  const given = {
    requestId: `bench-${id}`,
    answer: { type: 'submit', value: { answer: 'yes' } },
    by: { kind: 'end_user', id: 'bench' },
  };
  const at = performance.now();
  await answerInterrupt(platform.door, tenant, { endUserId: null }, id, given);
  return at;
}

/** One run with one interrupt. `before` runs while it waits. */
async function oneRun(bench, before = async () => {}) {
  const began = performance.now();
  const run = await start(bench, 'ask 1 times');
  const persisted = (await bench.parked.next(run.runId)) - began;
  await settled();
  await before(run);
  const answered = await answer(bench, run);
  const firstModelEvent = (await bench.spoke.next(run.messageId)) - answered;
  const ended = (await bench.finished.next(run.runId)) - answered;
  return { persisted, firstModelEvent, ended };
}

async function latencies(bench, size) {
  const warm = [];
  const cold = [];
  const redis = bench.platform.redis.get('commands');
  const dropSnapshot = (run) => redis.del(bench.platform.keys.snapshot(bench.tenant, run.runId));
  for (let i = 0; i < RUNS; i += 1) {
    warm.push(await oneRun(bench));
    cold.push(await oneRun(bench, dropSnapshot));
  }
  const row = (name, rows, field) => ({
    name: `${name}, ${size} messages`,
    unit: 'ms',
    samples: rows.map((one) => one[field]),
  });
  return [
    row('run -> interrupt persisted', warm, 'persisted'),
    row('answer -> first model event (snapshot)', warm, 'firstModelEvent'),
    row('answer -> first model event (rebuild)', cold, 'firstModelEvent'),
    row('answer -> finished', warm, 'ended'),
  ];
}

/** What one run with many interrupts sends to the stores, cycle by cycle: from an answer to the next park. */
async function costs(bench, size) {
  const { postgres, redis } = bench;
  const run = await start(bench, `ask ${CYCLES + 1} times`);
  await bench.parked.next(run.runId);
  await settled();
  const cycles = [];
  for (let i = 0; i < CYCLES; i += 1) {
    postgres.take();
    redis.take();
    await answer(bench, run);
    await bench.parked.next(run.runId);
    await settled();
    const { parameterBytes, statements } = postgres.take();
    cycles.push({ bytes: parameterBytes + redis.take().bytes, statements });
  }
  await answer(bench, run);
  await bench.finished.next(run.runId);
  const at = (index, field, unit) => ({
    name: `${field} sent, cycle ${index + 1}, ${size} messages`,
    unit,
    value: cycles.at(index)[field],
  });
  return [
    at(0, 'bytes', 'bytes'),
    at(CYCLES - 1, 'bytes', 'bytes'),
    at(0, 'statements', 'statements'),
    at(CYCLES - 1, 'statements', 'statements'),
  ];
}

/** Whatever follows the park belongs to the cycle too: its snapshot, its events, the notes that these are out. */
const settled = () => new Promise((resolve) => setTimeout(resolve, 150));
