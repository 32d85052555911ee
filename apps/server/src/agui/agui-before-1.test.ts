import { type Event, EventType } from '@ag-ui/core';
import { expect, it } from 'vitest';
import { endBefore1, isBefore1 } from './agui-before-1.js';

const finished = (outcome: object): Event =>
  ({ type: EventType.RUN_FINISHED, threadId: 't', runId: 'r', outcome }) as Event;

it('a client that names no version of the protocol is from before 1.0', () => {
  expect(isBefore1({})).toBe(true);
  expect(isBefore1({ protocolVersion: '1.0' })).toBe(false);
});

it('left-over calls are a run without an outcome, which an old client looks through itself', () => {
  expect(endBefore1(finished({ type: 'success', pendingToolCallIds: ['tc_1'] }))).toEqual({
    type: 'RUN_FINISHED',
    threadId: 't',
    runId: 'r',
  });
});

it('a cancelled run is not told as one that has finished', () => {
  expect(endBefore1(finished({ type: 'cancelled' }))).toMatchObject({
    type: 'RUN_ERROR',
    code: 'run_cancelled',
  });
});

it('what old clients know stays as it is', () => {
  for (const outcome of [{ type: 'success' }, { type: 'interrupt', interrupts: [] }])
    expect(endBefore1(finished(outcome))).toEqual(finished(outcome));
});
