/** The platform of `platform.mjs` with a hand on its runs: start one, answer it, wait for what it does. */
import { answerInterrupt, startRun } from '@plinth/engine';
import { startPlatform } from './platform.mjs';
import { signals } from './signals.mjs';

export async function driveRuns(services, { scenario, counted = true }) {
  const parked = signals();
  const finished = signals();
  const spoke = signals();
  const opened = new Map();
  const bench = await startPlatform(services, {
    scenario,
    counted,
    on: {
      opened: (runId, interruptId) => opened.set(runId, interruptId),
      parked: parked.note,
      finished: finished.note,
      modelEvent: spoke.note,
    },
  });
  const { platform, tenant } = bench;
  const driven = {
    ...bench,
    parked,
    finished,
    spoke,
    /** Starts a run; without a thread it gets a new one. */
    start: (text, threadId = null) =>
      startRun(platform.door, tenant, {
        endUserId: 'bench',
        threadId,
        agent: 'tester',
        text,
        onBusy: 'reject',
        idempotencyKey: null,
      }),
    /** Answers what the run waits for. Returns the time at which the answer was handed in. */
    async answer(run) {
      const id = opened.get(run.runId);
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
    },
    /** One run with one interrupt. `before` runs while it waits. */
    async oneCycle(threadId, before = async () => {}) {
      const began = performance.now();
      const run = await driven.start('ask 1 times', threadId);
      const persisted = (await parked.next(run.runId)) - began;
      await settled();
      await before(run);
      const answered = await driven.answer(run);
      const firstModelEvent = (await spoke.next(run.messageId)) - answered;
      const ended = (await finished.next(run.runId)) - answered;
      return { persisted, firstModelEvent, ended };
    },
  };
  return driven;
}

/** Whatever follows the park belongs to the cycle too: its snapshot, its events, the notes that these are out. */
export const settled = () => new Promise((resolve) => setTimeout(resolve, 150));
