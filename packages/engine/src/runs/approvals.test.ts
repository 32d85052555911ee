import { emptyMessageView, reduceMessage } from '@plinth/client';
import type { Answer, JsonObject, ToolDefinition } from '@plinth/protocol';
import { aServerTool, startEngine, type TestEngine } from '@plinth/testkit';
import { describe, expect, it } from 'vitest';
import { argumentsDigestOf } from '../tools/approvals.js';

const NUMBERED: JsonObject = { type: 'object', required: ['n'], properties: { n: { type: 'number' } } };
const pay = (fields: Partial<ToolDefinition> = {}) =>
  aServerTool('pay', { requireConfirmation: 'always', parameters: NUMBERED, ...fields });

/** A run that calls `pay` with each of these numbers, one a turn. */
async function paying(tool: ToolDefinition, ...numbers: number[]) {
  const engine = startEngine({
    tools: [tool],
    model: [...numbers.map((n) => ({ calls: [{ name: 'pay', arguments: { n } }] })), { text: 'Done.' }],
  });
  const { runId, threadId, messageId } = await engine.start('go');
  await engine.work();
  return { engine, runId, threadId, messageId };
}

async function say(engine: TestEngine, runId: string, answer: Answer): Promise<void> {
  await engine.answer((await engine.wait(runId)).id, answer);
  await engine.work();
}

const paid = (engine: TestEngine) => engine.tools.of('pay').map(({ arguments: values }) => values.n);

describe('an approval', () => {
  it('says what it is about; an answer about something else is refused and nothing happens', async () => {
    const { engine, runId } = await paying(pay(), 1);
    const { id, payload } = await engine.wait(runId);
    const argumentsDigest = argumentsDigestOf({ n: 1 });
    expect(payload).toMatchObject({ argumentsDigest, remember: 'never' });
    const other = argumentsDigestOf({ n: 2 });
    await expect(engine.answer(id, { type: 'approve', argumentsDigest: other })).rejects.toMatchObject({
      code: 'arguments_digest_mismatch',
      facts: { argumentsDigest },
    });
    expect(paid(engine)).toEqual([]);
    await say(engine, runId, { type: 'approve', argumentsDigest });
    expect(paid(engine)).toEqual([1]);
    const [call] = (await engine.record(runId)).calls;
    expect(call?.approval).toEqual({ by: 'answer', interruptId: id, argumentsDigest });
    expect(await engine.brokenRules(runId)).toEqual([]);
  });

  it('of edited arguments covers these, and readers see both versions', async () => {
    const { engine, runId, messageId } = await paying(pay(), 1);
    await say(engine, runId, { type: 'approve', arguments: { n: 7 } });
    expect(paid(engine)).toEqual([7]);
    const view = await engine.view(runId);
    expect(view.calls).toMatchObject([{ arguments: { n: 7 }, originalArguments: { n: 1 } }]);
    const events = await engine.events(messageId);
    expect(events.reduce(reduceMessage, emptyMessageView(messageId, runId))).toEqual(view);
    const [call] = (await engine.record(runId)).calls;
    expect(call?.approval?.argumentsDigest).toBe(argumentsDigestOf({ n: 7 }));
  });

  it('is of what was shown: arguments put into the receipt while the person was asked do not run', async () => {
    const { engine, runId } = await paying(pay(), 1);
    const { run, calls } = await engine.record(runId);
    await engine.answer((await engine.wait(runId)).id, { type: 'approve' });
    const forged = { argumentsEdited: '{"n":1000}' };
    await engine.ledger.transact(engine.tenant, run.id, () => ({
      decision: {
        changes: [{ type: 'call.update', callId: calls[0]?.id as never, set: forged }],
        events: [],
      },
      result: null,
    }));
    engine.store.clear();
    await engine.work();
    expect(paid(engine)).toEqual([1]);
    expect(await engine.brokenRules(runId)).toEqual([]);
  });
});

describe('a tool that asks under a condition', () => {
  const tool = pay({ requireConfirmation: { when: 'arguments.n > 100' } });

  it('asks when it holds and not when it does not', async () => {
    const { engine, runId } = await paying(tool, 100, 101);
    expect(paid(engine)).toEqual([100]);
    expect((await engine.wait(runId)).payload).toMatchObject({ arguments: { n: 101 } });
    await say(engine, runId, { type: 'approve' });
    expect(paid(engine)).toEqual([100, 101]);
  });

  it('asks when it cannot be decided', async () => {
    const { engine, runId } = await paying(pay({ requireConfirmation: { when: 'arguments.m > 1' } }), 1);
    expect(paid(engine)).toEqual([]);
    expect(await engine.wait(runId)).toMatchObject({ kind: 'confirmation' });
  });

  it('decides about edited arguments by themselves: the approval that brought them covers them', async () => {
    const { engine, runId } = await paying(tool, 101);
    await say(engine, runId, { type: 'approve', arguments: { n: 5000 } });
    expect(paid(engine)).toEqual([5000]);
    expect(await engine.waits(runId)).toEqual([]);
  });
});

describe('a person who does not want to be asked again', () => {
  const remember: Answer = { type: 'approve', remember: true };

  it('is asked every time by a tool that does not offer it', async () => {
    const { engine, runId } = await paying(pay(), 1, 2);
    const { id } = await engine.wait(runId);
    await expect(engine.answer(id, remember)).rejects.toMatchObject({
      code: 'answer_invalid',
      fields: [{ path: 'answer.remember' }],
    });
    await say(engine, runId, { type: 'approve', remember: false });
    expect(paid(engine)).toEqual([1]);
    expect(await engine.waits(runId)).toHaveLength(1);
  });

  it('is not asked again in the run, and is in the next one, by a tool that offers `once`', async () => {
    const { engine, runId, threadId } = await paying(pay({ remember: 'once' }), 1, 2, 3);
    await say(engine, runId, remember);
    expect(paid(engine)).toEqual([1, 2, 3]);
    const { calls, interrupts } = await engine.record(runId);
    expect(interrupts).toHaveLength(1);
    expect(calls.map(({ approval }) => approval?.by)).toEqual(['answer', 'remembered', 'remembered']);
    expect(await engine.brokenRules(runId)).toEqual([]);
    const next = await engine.start('again', { threadId });
    await engine.work();
    expect(await engine.waits(next.runId)).toHaveLength(1);
  });

  it('is not asked again in the thread by one that offers `thread`, and is in another thread', async () => {
    const { engine, runId, threadId } = await paying(pay({ remember: 'thread' }), 1);
    expect((await engine.wait(runId)).payload).toMatchObject({ remember: 'thread' });
    await say(engine, runId, remember);
    const next = await engine.start('again', { threadId });
    await engine.work();
    expect(await engine.view(next.runId)).toMatchObject({ reason: 'final_answer', interrupts: [] });
    const elsewhere = await engine.start('elsewhere');
    await engine.work();
    expect(await engine.waits(elsewhere.runId)).toHaveLength(1);
    expect(paid(engine)).toEqual([1, 1]);
  });

  it('is asked again when the tool has another definition', async () => {
    const { engine, runId, threadId } = await paying(pay({ remember: 'thread' }), 1);
    await say(engine, runId, remember);
    engine.publish([pay({ remember: 'thread', description: 'Pays, and tips.' })]);
    const next = await engine.start('again', { threadId });
    await engine.work();
    expect(await engine.waits(next.runId)).toHaveLength(1);
  });

  it('who has only approved has not wished for anything', async () => {
    const { engine, runId } = await paying(pay({ remember: 'thread' }), 1, 2);
    await say(engine, runId, { type: 'approve' });
    expect(paid(engine)).toEqual([1]);
    expect(await engine.waits(runId)).toHaveLength(1);
  });

  it('is not passed over by a rule that forbids it', async () => {
    const { engine, runId, threadId } = await paying(pay({ remember: 'thread' }), 1);
    await say(engine, runId, remember);
    const permissions = [{ tool: 'pay', effect: 'deny' as const }];
    engine.config = { ...engine.config, tools: { ...engine.config.tools, permissions } };
    engine.clock.advance(1_001);
    const next = await engine.start('again', { threadId });
    await engine.work();
    expect((await engine.view(next.runId)).calls).toMatchObject([{ error: { code: 'not_permitted' } }]);
    expect(paid(engine)).toEqual([1]);
  });
});
