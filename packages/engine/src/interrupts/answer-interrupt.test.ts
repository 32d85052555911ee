import type { RunStatus, ToolDefinition } from '@plinth/protocol';
import { aComponentTool, anInterrupt, aRemoteTool, aRun, aServerTool, startEngine } from '@plinth/testkit';
import { describe, expect, it } from 'vitest';
import type { LockedRun } from '../runs/ledger.js';
import { answerFromOutside, decideAnswer, type GivenAnswer } from './answer-interrupt.js';

const NOW = 7_000;
const by = { kind: 'end_user', id: 'user-1' } as const;
const given: GivenAnswer = { requestId: 'request-1', answer: { type: 'submit', value: 1 }, by };
const expiry: GivenAnswer = {
  requestId: 'expiry',
  answer: { type: 'expired' },
  by: { kind: 'platform', id: 'expiry' },
};

const lockedAt = (status: RunStatus, waits: LockedRun['waits']): LockedRun => ({
  run: aRun({ status }),
  openCalls: [],
  waits,
});

describe('deciding an answer under the lock', () => {
  const wait = anInterrupt({ kind: 'component' });

  it('the first one is written, with who, when and by which request', () => {
    const { decision, result } = decideAnswer(lockedAt('running', [wait]), wait.id, given, NOW);
    expect(result).toEqual({ kind: 'accepted', answeredAt: NOW });
    expect(decision.changes).toEqual([
      {
        type: 'interrupt.update',
        interruptId: wait.id,
        set: {
          state: 'answered',
          closedWhy: null,
          answer: given.answer,
          answeredBy: by,
          answeredAt: NOW,
          answerRequestId: 'request-1',
        },
      },
    ]);
    expect(decision.events).toEqual([{ type: 'interrupt.answered', interruptId: wait.id, by }]);
  });

  it.each([
    ['interrupted', true],
    ['queued', false],
    ['running', false],
  ] as const)('a run that is %s is put in the queue: %s', (status, queued) => {
    const { decision } = decideAnswer(lockedAt(status, [wait]), wait.id, given, NOW);
    expect(decision.changes.filter(({ type }) => type === 'run.update')).toEqual(
      queued ? [{ type: 'run.update', set: { status: 'queued' } }] : [],
    );
  });

  it('an expiry closes the wait and wakes the run like any answer', () => {
    const { decision } = decideAnswer(lockedAt('interrupted', [wait]), wait.id, expiry, NOW);
    expect(decision.changes).toMatchObject([
      { set: { state: 'closed', closedWhy: 'expired', answeredAt: NOW } },
      { set: { status: 'queued' } },
    ]);
    expect(decision.events).toEqual([{ type: 'interrupt.closed', interruptId: wait.id, why: 'expired' }]);
  });

  it('a second one is late and writes nothing; the same request is repeated, also with another body', () => {
    const answered = anInterrupt({ ...wait, state: 'answered', answeredAt: 5, answerRequestId: 'request-1' });
    const locked = lockedAt('running', [answered]);
    expect(decideAnswer(locked, wait.id, { ...given, requestId: 'request-2' }, NOW)).toEqual({
      decision: { changes: [], events: [] },
      result: { kind: 'late' },
    });
    expect(decideAnswer(locked, wait.id, { ...given, answer: { type: 'decline' } }, NOW)).toEqual({
      decision: { changes: [], events: [] },
      result: { kind: 'repeated', answeredAt: 5 },
    });
  });

  it('a wait that is not there any more is late', () => {
    expect(decideAnswer(lockedAt('completed', []), wait.id, given, NOW).result).toEqual({ kind: 'late' });
  });
});

const FORM = aComponentTool('form', {
  submit: {
    type: 'object',
    required: ['headline'],
    properties: { headline: { type: 'string', minLength: 3 } },
  },
});
const PAY = aServerTool('pay', {
  requireConfirmation: 'always',
  parameters: {
    type: 'object',
    required: ['amount'],
    properties: { amount: { type: 'number', maximum: 10 } },
  },
});

const JOB = aRemoteTool('job');

async function waitingAt(tool: ToolDefinition) {
  const engine = startEngine({
    tools: [FORM, PAY, JOB],
    model: [{ calls: [{ name: tool.key, arguments: { amount: 1 } }] }, { text: 'ok' }],
  });
  const { runId } = await engine.start('go');
  await engine.work();
  const { id } = await engine.wait(runId);
  return { engine, runId, id };
}

describe('the door for answers', () => {
  it('refuses a submission that does not fit, naming each field, and the form stays open', async () => {
    const { engine, runId, id } = await waitingAt(FORM);
    await expect(engine.answer(id, { type: 'submit', value: { headline: 'a' } })).rejects.toMatchObject({
      code: 'answer_invalid',
      fields: [{ path: 'answer.value.headline', message: 'must NOT have fewer than 3 characters' }],
    });
    await expect(engine.answer(id, { type: 'submit', value: 7 })).rejects.toMatchObject({
      fields: [{ path: 'answer.value' }],
    });
    expect(await engine.waits(runId)).toHaveLength(1);
  });

  it('refuses an approval of arguments that the tool does not take, and nothing runs', async () => {
    const { engine, id } = await waitingAt(PAY);
    await expect(engine.answer(id, { type: 'approve', arguments: { amount: 1_000 } })).rejects.toMatchObject({
      fields: [{ path: 'answer.arguments.amount' }],
    });
    await engine.work();
    expect(engine.tools.effects).toEqual([]);
  });

  it('refuses the answer of another kind of wait', async () => {
    const form = await waitingAt(FORM);
    await expect(form.engine.answer(form.id, { type: 'approve' })).rejects.toMatchObject({
      code: 'answer_invalid',
    });
    const pay = await waitingAt(PAY);
    await expect(pay.engine.answer(pay.id, { type: 'submit', value: 1 })).rejects.toMatchObject({
      code: 'answer_invalid',
    });
    await pay.engine.work();
    expect(pay.engine.tools.effects).toEqual([]);
  });

  it('an approval written in a message of the user approves nothing', async () => {
    const { engine, runId, id } = await waitingAt(PAY);
    const { run } = await engine.record(runId);
    await engine.start(`approve ${id}: yes, I approve`, { threadId: run.threadId });
    expect(engine.tools.effects).toEqual([]);
    expect(await engine.view(runId)).toMatchObject({ calls: [{ status: 'superseded' }] });
  });

  it('a person cannot answer what a job is to answer', async () => {
    const { engine, runId, id } = await waitingAt(JOB);
    for (const answer of [{ type: 'submit', value: 1 }, { type: 'approve' }, { type: 'decline' }] as const) {
      await expect(engine.answer(id, answer)).rejects.toMatchObject({ code: 'answer_invalid' });
    }
    expect(await engine.waits(runId)).toHaveLength(1);
  });

  it('the guessable id of an expiry repeats nothing for anybody else', async () => {
    const { engine, id } = await waitingAt(FORM);
    engine.clock.advance(FORM.waitTimeoutSeconds * 1000);
    await engine.sweep();
    const late = () => engine.answer(id, { type: 'submit', value: { headline: 'Tea' } }, `expiry:${id}`);
    await expect(late()).rejects.toMatchObject({ code: 'interrupt_closed', facts: { why: 'expired' } });
    await engine.work();
    await expect(late()).rejects.toMatchObject({ code: 'interrupt_closed', facts: { why: 'expired' } });
  });

  it('knows no interrupt of somebody else, or one that never was', async () => {
    const { engine } = await waitingAt(FORM);
    await expect(engine.answer('int_9999', { type: 'decline' })).rejects.toMatchObject({ code: 'not_found' });
    await expect(
      answerFromOutside(engine.door, engine.tenant, 'int_9999' as never, expiry as never),
    ).rejects.toMatchObject({ code: 'not_found' });
  });

  it('an answer that was taken stays taken when the wake and the log are away', async () => {
    const { engine, runId, id } = await waitingAt(FORM);
    const { wake } = engine.scheduler;
    engine.scheduler.wake = async () => {
      throw new Error('Redis is away');
    };
    await engine.answer(id, { type: 'submit', value: { headline: 'Tea' } });
    engine.scheduler.wake = wake;
    engine.clock.advance(6_000);
    await engine.sweep();
    await engine.work();
    expect(await engine.view(runId)).toMatchObject({ status: 'completed' });
  });
});
