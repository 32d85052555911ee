import { aCall, anInterrupt, aRun } from '@plinth/testkit';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isSettled, isUnconsumed } from '../tools/call-step.js';
import { closeRun, type Ending } from './close-run.js';
import type { LockedRun } from './ledger.js';
import { applyChanges } from './ledger-change.js';
import type { StoredAnswer } from './run.js';

type JobOutcome = Extract<StoredAnswer, { type: 'callback' }>['outcome'];

const NOW = 9_000;
const USAGE = { inputTokens: 3, cachedInputTokens: 2, outputTokens: 1 };
const cancelled: Ending = { status: 'cancelled', reason: 'cancelled', error: null, usage: USAGE, now: NOW };

const running = aRun({ status: 'running', leaseUntil: 1 });
const locked = (fields: Partial<LockedRun> = {}): LockedRun => ({
  run: running,
  openCalls: [],
  waits: [],
  ...fields,
});

describe('closing a run', () => {
  it('every open call gets a result, every open wait closes, every answer is used up, one terminal event', () => {
    const part = fc.record({
      call: fc.constantFrom('pending' as const, 'started' as const),
      wait: fc.constantFrom('none', 'open', 'answered', 'expired'),
    });
    const ending = fc.constantFrom<Ending>(
      cancelled,
      { ...cancelled, reason: 'superseded' },
      { ...cancelled, status: 'failed', reason: 'internal_error', error: { code: 'x', message: 'y' } },
    );
    fc.assert(
      fc.property(fc.array(part), ending, (parts, how) => {
        const calls = parts.map(({ call }, position) => aCall({ position, status: call }));
        const waits = parts.flatMap(({ wait }, index) => {
          const callId = calls[index]?.id ?? running.id;
          if (wait === 'none') return [];
          const fields = {
            open: {},
            answered: { state: 'answered', answeredAt: 1 },
            expired: { state: 'closed', closedWhy: 'expired', answeredAt: 1 },
          } as const;
          return [
            anInterrupt({
              callId: callId as (typeof calls)[0]['id'],
              ...fields[wait as keyof typeof fields],
            }),
          ];
        });
        const decision = closeRun(locked({ openCalls: calls, waits }), how);
        const after = applyChanges(
          { run: running, turns: [], calls, interrupts: waits, artifacts: [] },
          decision.changes,
        );

        expect(after.calls.every((call) => isSettled(call) && call.resultText !== null)).toBe(true);
        expect(
          after.interrupts.some((interrupt) => interrupt.state === 'open' || isUnconsumed(interrupt)),
        ).toBe(false);
        expect(after.interrupts.filter(({ state }) => state === 'answered')).toHaveLength(
          waits.filter(({ state }) => state === 'answered').length,
        );
        expect(decision.events.filter(({ type }) => type === 'run.finished')).toHaveLength(1);
        expect(decision.events.at(-1)?.type).toBe('run.finished');
        expect(decision.events.filter(({ type }) => type === 'tool.failed')).toHaveLength(calls.length);
        expect(decision.events.filter(({ type }) => type === 'interrupt.closed')).toHaveLength(
          waits.filter(({ state }) => state === 'open').length,
        );
      }),
    );
  });

  it('says how, why and when, gives the lease back, and tells the thread', () => {
    const error = { code: 'internal_error', message: 'Sorry.' };
    const decision = closeRun(locked(), {
      status: 'failed',
      reason: 'internal_error',
      error,
      usage: USAGE,
      now: NOW,
    });
    const after = applyChanges(
      { run: running, turns: [], calls: [], interrupts: [], artifacts: [] },
      decision.changes,
    );
    expect(after.run).toMatchObject({
      status: 'failed',
      reason: 'internal_error',
      error,
      usage: USAGE,
      finishedAt: NOW,
      leaseUntil: null,
    });
    expect(decision.events).toEqual([
      { type: 'run.finished', status: 'failed', reason: 'internal_error', usage: USAGE, error },
    ]);
    expect(decision.threadEvents).toEqual([
      {
        type: 'thread.run_finished',
        threadId: running.threadId,
        runId: running.id,
        messageId: running.messageId,
        at: '1970-01-01T00:00:09.000Z',
      },
    ]);
  });

  it('a superseded run tells the model of the new message, any other of its end', () => {
    const call = aCall({ status: 'started', acceptedAt: 1 });
    const wait = anInterrupt({ callId: call.id });
    const superseded = closeRun(locked({ openCalls: [call], waits: [wait] }), {
      ...cancelled,
      reason: 'superseded',
    });
    expect(superseded.events).toMatchObject([{ why: 'superseded' }, { status: 'superseded' }, {}]);
    const failed = closeRun(locked({ openCalls: [call], waits: [wait] }), {
      ...cancelled,
      status: 'failed',
      reason: 'budget_time',
    });
    expect(failed.events).toMatchObject([{ why: 'cancelled' }, { status: 'cancelled' }, {}]);
  });
  it('a call that was begun is unknown, unless it is known to do no harm or its job is under way', () => {
    const statusOf = (fields: Parameters<typeof aCall>[0], ending: Partial<Ending> = {}) =>
      closeRun(locked({ openCalls: [aCall(fields)] }), { ...cancelled, ...ending }).events[0];
    const begun = { status: 'started', startedFence: 1 } as const;
    expect(statusOf(begun)).toMatchObject({ status: 'unknown', error: { code: 'outcome_unknown' } });
    expect(statusOf(begun, { reason: 'superseded' })).toMatchObject({ status: 'unknown' });
    expect(statusOf(begun, { isHarmless: () => true })).toMatchObject({ status: 'cancelled' });
    expect(statusOf({ ...begun, acceptedAt: 1 })).toMatchObject({ status: 'cancelled' });
    expect(statusOf({ status: 'pending' })).toMatchObject({ status: 'cancelled' });
  });

  it('a job that has called back is not in doubt: the model reads what came of it', () => {
    const call = aCall({ status: 'started', startedFence: 1 });
    const answered = (outcome: JobOutcome) =>
      anInterrupt({
        callId: call.id,
        kind: 'callback',
        state: 'answered',
        answeredAt: 1,
        answer: { type: 'callback', outcome },
      });
    const told = (outcome: JobOutcome) =>
      closeRun(locked({ openCalls: [call], waits: [answered(outcome)] }), cancelled).changes.flatMap(
        (change) => (change.type === 'call.update' ? [change.set] : []),
      );
    expect(told({ ok: true, result: 1, files: [] })).toMatchObject([
      { status: 'cancelled', resultText: expect.stringContaining('do not repeat it') },
    ]);
    expect(told({ ok: false, error: { code: 'x', message: 'y' } })).toMatchObject([
      { status: 'cancelled', resultText: expect.stringContaining('It had failed') },
    ]);
  });
});
