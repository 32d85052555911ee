import type { ToolDefinition } from '@plinth/protocol';
import { aServerTool, type ModelScript, startEngine } from '@plinth/testkit';
import { describe, expect, it } from 'vitest';

const call = (name: string) => ({ name, arguments: {} });
/** A request's tools, by name, in their order. */
const namesIn = (body: string): string[] =>
  (JSON.parse(body) as { tools: { function: { name: string } }[] }).tools.map((tool) => tool.function.name);
const toolsText = (body: string): string => /"tools":(\[.*\]),"tool_choice"/.exec(body)?.[1] ?? '';

/** An agent with `open` and `other`; `open` enables these tools. */
function withEnabling(enabled: ToolDefinition[], model: ModelScript) {
  return startEngine({
    tools: [aServerTool('open', { concurrency: 'exclusive' }), aServerTool('other')],
    model,
    scripts: {
      open: () => ({ kind: 'succeeded', value: 'opened', files: [], enables: enabled }),
    },
  });
}

describe('tools that a call enables', () => {
  it('are offered from the next turn on, after those of the agent, and run like any other', async () => {
    const engine = withEnabling(
      [aServerTool('read'), aServerTool('write')],
      [{ calls: [call('open')] }, { calls: [call('write')] }, { text: 'ok' }],
    );
    const { runId } = await engine.start('go');
    await engine.work();
    expect(engine.model.bodies.map(namesIn)).toEqual([
      ['open', 'other'],
      ['open', 'other', 'read', 'write'],
      ['open', 'other', 'read', 'write'],
    ]);
    expect(engine.tools.of('write')).toHaveLength(1);
    expect(await engine.view(runId)).toMatchObject({
      calls: [{ tool: 'open' }, { title: 'Title of write' }],
    });
    const [before, after] = engine.model.bodies.map(toolsText);
    expect(after?.startsWith(before?.slice(0, -1) ?? 'nothing')).toBe(true);
  });

  it('are not there in the turn that enables them: the model is told, and nothing runs', async () => {
    const engine = withEnabling(
      [aServerTool('read')],
      [{ calls: [call('open'), call('read')] }, { text: 'ok' }],
    );
    const { runId } = await engine.start('go');
    await engine.work();
    expect(engine.tools.of('read')).toEqual([]);
    expect((await engine.record(runId)).calls[1]).toMatchObject({
      status: 'failed',
      error: { code: 'unknown_tool' },
    });
  });

  it('are those of their run alone', async () => {
    const engine = withEnabling([aServerTool('read')], [{ calls: [call('open')] }, { text: 'ok' }]);
    const { threadId } = await engine.start('go');
    await engine.work();
    engine.model.script = [{ calls: [call('read')] }, { text: 'ok' }];
    const { runId } = await engine.start('again', { threadId });
    await engine.work();
    expect(namesIn(engine.model.bodies.at(-1) ?? '')).toEqual(['open', 'other']);
    expect((await engine.record(runId)).calls).toMatchObject([{ error: { code: 'unknown_tool' } }]);
  });

  it('keep the definition that they were enabled with, and never take the place of another', async () => {
    const engine = withEnabling(
      [aServerTool('read'), aServerTool('other', { description: 'An impostor.' })],
      [{ calls: [call('open')] }, { calls: [{ ...call('open'), arguments: { again: 1 } }] }, { text: 'ok' }],
    );
    let times = 0;
    engine.tools.scripts.open = () => {
      times += 1;
      const enables = [aServerTool('read', { description: `The ${times}. time.` }), aServerTool('other')];
      return { kind: 'succeeded', value: 'opened', files: [], enables };
    };
    await engine.start('go');
    await engine.work();
    const last = engine.model.bodies.at(-1) ?? '';
    expect(namesIn(last)).toEqual(['open', 'other', 'read']);
    expect(last).toContain('The 1. time.');
    expect(last).toContain('What other does.');
    expect(toolsText(last)).toBe(toolsText(engine.model.bodies[1] ?? ''));
  });

  it('wait for a person like any other, and are answered by the schema that was offered', async () => {
    const parameters = {
      type: 'object',
      properties: { to: { type: 'string' } },
      required: ['to'],
      additionalProperties: false,
    };
    const engine = withEnabling(
      [aServerTool('send', { requireConfirmation: 'always', parameters })],
      [{ calls: [call('open')] }, { calls: [{ name: 'send', arguments: { to: 'Ada' } }] }, { text: 'ok' }],
    );
    const { runId } = await engine.start('go');
    await engine.work();
    const wait = await engine.wait(runId);
    await expect(
      engine.answer(wait.id, { type: 'approve', arguments: { subject: 'x' } }),
    ).rejects.toMatchObject({ code: 'answer_invalid' });
    await engine.answer(wait.id, { type: 'approve' });
    await engine.work();
    expect(engine.tools.of('send')).toMatchObject([{ arguments: { to: 'Ada' } }]);
  });

  it.each(['snapshot', 'rebuild'] as const)(
    'are in the next request byte for byte when the run goes on from its %s',
    async (source) => {
      const model: ModelScript = [{ calls: [call('open')] }, { calls: [call('send')] }, { text: 'ok' }];
      const strange = aServerTool('send', {
        requireConfirmation: 'always',
        description: 'Odd: \u0000 \ud800 "quotes" \u2028 1e21',
        parameters: { type: 'object', z: 1, a: { '10': true, '9': -0, b: 1e21 }, properties: {} },
      });
      const play = async (lose: boolean) => {
        const engine = withEnabling([strange], model);
        const { runId } = await engine.start('go');
        await engine.work();
        const wait = await engine.wait(runId);
        if (lose) engine.store.clear();
        await engine.answer(wait.id, { type: 'approve' });
        await engine.work();
        expect(engine.observer.resumes).toEqual([lose ? 'rebuild' : 'snapshot']);
        return engine.model.bodies;
      };
      const kept = await play(source === 'rebuild');
      expect(kept[2]).toContain('Odd: ');
      expect(toolsText(kept[2] ?? '')).toBe(toolsText(kept[1] ?? ''));
      expect(kept).toEqual(await play(false));
    },
  );
});
