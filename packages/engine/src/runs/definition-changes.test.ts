import type { JsonObject, ToolDefinition } from '@plinth/protocol';
import { aComponentTool, aRemoteTool, aServerTool, startEngine } from '@plinth/testkit';
import { describe, expect, it } from 'vitest';

const FORM = aComponentTool('form');
const PAY = aServerTool('pay', { requireConfirmation: 'always', parameters: { type: 'object' } });
const DRAW = aRemoteTool('draw', { idempotent: true });
const BROKEN: JsonObject = { type: 'object', required: ['to'], properties: { to: { type: 'string' } } };

const call = (name: string) => ({ name, arguments: { of: name } });

/** A run that is parked on these tools. */
async function parked(tools: ToolDefinition[]) {
  const engine = startEngine({
    tools,
    model: [{ calls: tools.map(({ key }) => call(key)) }, { text: 'ok' }],
  });
  const { runId, messageId } = await engine.start('go');
  await engine.work();
  const notices = async () =>
    (await engine.events(messageId)).flatMap((event) => (event.type === 'notice' ? [event] : []));
  return { engine, runId, notices };
}

describe('definitions that change while a run waits', () => {
  it('nothing is said of a run that meets the version it began with, or the same words in a new one', async () => {
    const { engine, runId, notices } = await parked([FORM]);
    engine.publish([FORM]);
    await engine.answer((await engine.wait(runId)).id, { type: 'submit', value: 1 });
    await engine.work();
    expect(await notices()).toEqual([]);
    expect(engine.observer.verdicts).toEqual(['same']);
  });

  it.each<[string, ToolDefinition[], 'compatible' | 'breaking']>([
    ['of other words', [{ ...PAY, description: 'Pays.' }], 'compatible'],
    ['with another schema', [{ ...PAY, parameters: BROKEN }], 'breaking'],
    ['that is gone', [], 'breaking'],
  ])(
    'a tool %s: one notice for each resume, and the call ends on the pinned definition',
    async (_name, tools, verdict) => {
      const { engine, runId, notices } = await parked([FORM, PAY]);
      engine.publish([FORM, ...tools]);
      const [form, pay] = await engine.waits(runId);
      await engine.answer(form?.id ?? '', { type: 'submit', value: 1 });
      await engine.work();
      expect(await notices()).toMatchObject([
        { code: 'definition_changed', message: expect.stringContaining(`pay (${verdict})`) },
      ]);
      await engine.answer(pay?.id ?? '', { type: 'approve' });
      await engine.work();
      expect(await notices()).toHaveLength(2);
      expect(engine.observer.verdicts).toEqual(['same', verdict, verdict]);
      expect(engine.tools.of('pay')).toHaveLength(1);
      expect(await engine.view(runId)).toMatchObject({
        reason: 'final_answer',
        calls: [{}, { status: 'succeeded' }],
      });
      expect(await engine.brokenRules(runId)).toEqual([]);
    },
  );

  it('what a call has ended with is not compared any more', async () => {
    const { engine, runId, notices } = await parked([aServerTool('look_up'), FORM]);
    engine.publish([FORM]);
    await engine.answer((await engine.wait(runId)).id, { type: 'submit', value: 1 });
    await engine.work();
    expect(await notices()).toEqual([]);
    expect(engine.observer.verdicts).toEqual(['same']);
  });

  it('a tool that this server cannot carry out any more: the call fails with a reason, its approval closes', async () => {
    const { engine, runId } = await parked([PAY, FORM]);
    engine.publish([FORM]);
    engine.tools.lost.add('builtin');
    const form = (await engine.waits(runId)).find(({ kind }) => kind === 'component');
    await engine.answer(form?.id ?? '', { type: 'submit', value: 1 });
    await engine.work();
    expect(await engine.view(runId)).toMatchObject({
      reason: 'final_answer',
      calls: [{ status: 'failed', error: { code: 'tool_unavailable' } }, { status: 'succeeded' }],
      interrupts: [{ kind: 'confirmation', state: 'closed', closedWhy: 'settled' }, {}],
    });
    expect(engine.tools.effects).toEqual([]);
    expect(engine.model.asked.at(-1)?.messages.find(({ role }) => role === 'tool')?.content).toContain(
      'cannot be carried out any more',
    );
    expect(await engine.brokenRules(runId)).toEqual([]);
  });

  it('an approval for it that came before is no reason to run it', async () => {
    const { engine, runId } = await parked([PAY]);
    engine.tools.lost.add('builtin');
    await engine.answer((await engine.wait(runId)).id, { type: 'approve' });
    await engine.work();
    expect(await engine.view(runId)).toMatchObject({ calls: [{ status: 'failed' }] });
    expect(engine.tools.effects).toEqual([]);
    expect(await engine.brokenRules(runId)).toEqual([]);
  });

  it('a job that is under way needs no executor: its callback is the result; a form never needs one', async () => {
    const { engine, runId } = await parked([DRAW, FORM]);
    engine.tools.lost.add('remote').add('component');
    for (const wait of await engine.waits(runId)) {
      if (wait.kind === 'callback') await engine.callback(wait.id);
      else await engine.answer(wait.id, { type: 'submit', value: 1 });
      await engine.work();
    }
    expect(await engine.view(runId)).toMatchObject({
      reason: 'final_answer',
      calls: [{ status: 'succeeded' }, { status: 'succeeded' }],
    });
    expect(await engine.brokenRules(runId)).toEqual([]);
  });

  it('that the newest version cannot be read is reported, and the run goes on', async () => {
    const { engine, runId, notices } = await parked([FORM]);
    const agents = {
      ...engine.door.agents,
      newest: async () => {
        throw new Error('away');
      },
    };
    await engine.answer((await engine.wait(runId)).id, { type: 'submit', value: 1 });
    await engine.work(engine.worker({ agents }));
    expect(await engine.view(runId)).toMatchObject({ reason: 'final_answer' });
    expect(await notices()).toEqual([]);
    expect(engine.observer.problems.map(({ doing }) => doing)).toEqual(['compare the definitions of a run']);
  });
});
