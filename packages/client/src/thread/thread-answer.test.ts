import type { InterruptView } from '@plinth/protocol';
import { beforeEach, describe, expect, it } from 'vitest';
import { eventually } from '../../testing/eventually.js';
import { createFakePlatform, type FakePlatform } from '../../testing/fake-platform.js';
import { AT, aComponentInterrupt } from '../../testing/log-builder.js';
import { createManualTiming } from '../../testing/manual-timing.js';
import { createPlinth } from '../create-plinth.js';
import { selectInterruptStatus, selectOpenInterrupts } from './select-thread.js';
import type { ThreadSession } from './thread-session-api.js';

const SUBMIT = { type: 'submit', value: { style: 'ink' } } as const;
const ADA = { kind: 'end_user', id: 'ada' } as const;

let platform: FakePlatform;
let session: ThreadSession;

beforeEach(async () => {
  platform = createFakePlatform();
  platform.addThread('thr_1');
  const { messageId } = platform.startRun('thr_1', 'A poster');
  platform.emit(messageId, { type: 'interrupt.opened', interrupt: aComponentInterrupt() });
  session = createPlinth({ baseUrl: '', request: platform.request, ...createManualTiming() }).thread('thr_1');
  session.subscribe(() => undefined);
  await eventually(() => expect(session.getSnapshot().cursors).toEqual({ msg_a1: '1-1' }));
});

function interrupt(): InterruptView {
  const message = session.getSnapshot().messages[1];
  if (message?.role !== 'assistant' || !message.view.interrupts[0])
    throw new Error('the interrupt is not there');
  return message.view.interrupts[0];
}
const status = () => selectInterruptStatus(session.getSnapshot(), interrupt());

describe('answering an interrupt', () => {
  it('is shown as being sent, then as answered, also before its event arrives', async () => {
    const release = platform.hold('answer');
    const given = session.answer('int_1', SUBMIT);
    expect(status()).toBe('sending');
    release();
    await given;
    expect(status()).toBe('answered');
    expect(selectOpenInterrupts(session.getSnapshot())).toEqual([]);
    platform.emit('msg_a1', { type: 'tool.progress', callId: 'x', progress: 0, message: null });
    platform.emit('msg_a1', { type: 'interrupt.answered', interruptId: 'int_1', by: ADA });
    await eventually(() => expect(interrupt()).toMatchObject({ state: 'answered', answeredBy: ADA }));
  });

  it('twice at once is one request', async () => {
    const both = await Promise.all([session.answer('int_1', SUBMIT), session.answer('int_1', SUBMIT)]);
    expect(both[0]).toBe(both[1]);
    expect(platform.bodies).toHaveLength(1);
  });

  it('too late shows who was first', async () => {
    platform.refuseNext('answer', {
      status: 409,
      code: 'interrupt_already_answered',
      facts: { by: ADA, answeredAt: AT },
    });
    await expect(session.answer('int_1', SUBMIT)).rejects.toMatchObject({
      code: 'interrupt_already_answered',
    });
    expect(interrupt()).toMatchObject({ state: 'answered', answeredBy: ADA, answeredAt: AT });
    expect(session.getSnapshot()).toMatchObject({
      answerErrors: { int_1: { code: 'interrupt_already_answered' } },
      pendingAnswers: {},
      error: null,
    });
  });

  it('that was closed shows it as closed', async () => {
    platform.refuseNext('answer', { status: 409, code: 'interrupt_closed', facts: { why: 'expired' } });
    await expect(session.answer('int_1', SUBMIT)).rejects.toMatchObject({ code: 'interrupt_closed' });
    expect(interrupt()).toMatchObject({ state: 'closed', closedWhy: 'expired' });
  });

  it('that is invalid stays open and names the fields; the next try clears them', async () => {
    const errors = [{ path: '/headline', message: 'at most 40 characters' }];
    platform.refuseNext('answer', { status: 422, code: 'answer_invalid', errors });
    await expect(session.answer('int_1', SUBMIT)).rejects.toMatchObject({ fields: errors });
    expect(status()).toBe('open');
    expect(session.getSnapshot().answerErrors.int_1?.fields).toEqual(errors);
    await session.answer('int_1', SUBMIT);
    expect(session.getSnapshot().answerErrors).toEqual({});
  });

  it('again is the same request; another answer is a new one', async () => {
    const requestIds = () => platform.bodies.map(({ body }) => (body as { requestId: string }).requestId);
    platform.refuseNext('answer', { status: 404, code: 'not_found' });
    await expect(session.answer('int_1', SUBMIT)).rejects.toMatchObject({ code: 'not_found' });
    await session.answer('int_1', SUBMIT);
    await session.answer('int_1', { type: 'decline' });
    const [first, second, third] = requestIds();
    expect(second).toBe(first);
    expect(third).not.toBe(first);
  });
});
