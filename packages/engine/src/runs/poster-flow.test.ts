import {
  aComponentTool,
  aRemoteTool,
  idle,
  interruptOf,
  startEngine,
  type TestEngine,
} from '@plinth/testkit';
import { describe, expect, it } from 'vitest';

const STYLE = aComponentTool('choose_style', {
  submit: { type: 'object', required: ['style'], properties: { style: { enum: ['ink', 'neon'] } } },
});
const FORM = aComponentTool('poster_form', {
  submit: { type: 'object', required: ['headline'], properties: { headline: { type: 'string' } } },
});
const DRAW = aRemoteTool('draw_poster', {
  requireConfirmation: 'always',
  parameters: {
    type: 'object',
    required: ['headline'],
    properties: { headline: { type: 'string', minLength: 1 } },
  },
});

const PNG = {
  title: 'Poster',
  kind: 'image',
  mimeType: 'image/png',
  storageKey: 'sha256/ab',
  sizeBytes: 3,
  sha256: 'ab',
} as const;

function posterStudio(): TestEngine {
  return startEngine({
    tools: [STYLE, FORM, DRAW],
    model: [
      {
        text: ['Which ', 'style?'],
        calls: [{ name: 'choose_style', arguments: { styles: ['ink', 'neon'] } }],
      },
      { calls: [{ name: 'poster_form', arguments: {} }] },
      { reasoning: 'All is known.', calls: [{ name: 'draw_poster', arguments: { headline: 'Tea' } }] },
      { text: ['Here is ', 'your ', 'poster.'] },
    ],
  });
}

describe('the poster flow', () => {
  it('goes over four waits to its answer, and the model reads every outcome once', async () => {
    const engine = posterStudio();
    const { runId, messageId } = await engine.start('a poster for our tea sale');
    await engine.work();

    const style = await engine.wait(runId);
    expect(style.payload).toMatchObject({
      kind: 'component',
      component: 'Component of choose_style',
      props: { styles: ['ink', 'neon'] },
    });
    await engine.answer(style.id, { type: 'submit', value: { style: 'ink' } });
    await engine.work();

    await engine.answer((await engine.wait(runId)).id, { type: 'submit', value: { headline: 'Autumn tea' } });
    await engine.work();

    const gate = await engine.wait(runId);
    expect(gate.payload).toMatchObject({ kind: 'confirmation', arguments: { headline: 'Tea' } });
    await engine.answer(gate.id, { type: 'approve', arguments: { headline: 'Autumn tea' } });
    await engine.work();

    const job = await engine.wait(runId);
    expect(job.kind).toBe('callback');
    expect(engine.tools.effects.map(({ arguments: values }) => values)).toEqual([{ headline: 'Autumn tea' }]);
    await engine.callback(job.id, { summary: 'A poster of 3 bytes' }, [PNG]);
    await engine.work();

    expect(await engine.view(runId)).toMatchObject({
      status: 'completed',
      reason: 'final_answer',
      artifacts: [{ title: 'Poster', kind: 'image' }],
      parts: [
        { type: 'text', text: 'Which style?' },
        { type: 'tool' },
        { type: 'tool' },
        { type: 'reasoning' },
        { type: 'tool' },
        { type: 'text', text: 'Here is your poster.' },
      ],
    });
    const last = engine.model.asked.at(-1);
    const results = last?.messages
      .filter(({ role }) => role === 'tool')
      .map(({ content }) => JSON.parse(content ?? '') as unknown);
    expect(results).toEqual([
      { style: 'ink' },
      { headline: 'Autumn tea' },
      {
        result: { summary: 'A poster of 3 bytes' },
        artifacts: [{ id: 'art_0001', kind: 'image', mimeType: 'image/png', title: 'Poster' }],
        artifactNote: expect.any(String),
        note: expect.any(String),
        arguments: { headline: 'Autumn tea' },
      },
    ]);
    expect(engine.model.asked).toHaveLength(4);
    expect(await engine.brokenRules(runId)).toEqual([]);
    expect(engine.observer.problems).toEqual([]);
    expect((await engine.events(messageId)).filter(({ type }) => type === 'run.interrupted')).toHaveLength(4);
  });

  it('nothing of a parked run stays in the process', async () => {
    const engine = posterStudio();
    await engine.start('a poster');
    await engine.work();
    await idle();
    expect(engine.clock.waiting).toBe(0);
  });

  it('a callback that arrives before the HTTP call of its tool has returned is used, and nothing waits for ever', async () => {
    const engine = posterStudio();
    engine.tools.scripts.draw_poster = async ({ callback }) => {
      await engine.callback(interruptOf(callback?.url ?? ''), { early: true });
      return { kind: 'accepted' };
    };
    const { runId } = await engine.start('a poster');
    await engine.work();
    await engine.answer((await engine.wait(runId)).id, { type: 'submit', value: { style: 'ink' } });
    await engine.work();
    await engine.answer((await engine.wait(runId)).id, { type: 'submit', value: { headline: 'Tea' } });
    await engine.work();
    await engine.answer((await engine.wait(runId)).id, { type: 'approve' });
    await engine.work();
    expect(await engine.view(runId)).toMatchObject({ status: 'completed', reason: 'final_answer' });
    expect(engine.tools.effects).toHaveLength(1);
    expect(await engine.brokenRules(runId)).toEqual([]);
  });

  it('a callback wins over the failure of the HTTP call that started its job', async () => {
    const engine = posterStudio();
    engine.model.script = [
      { calls: [{ name: 'draw_poster', arguments: { headline: 'Tea' } }] },
      { text: 'ok' },
    ];
    engine.tools.scripts.draw_poster = async ({ callback }) => {
      await engine.callback(interruptOf(callback?.url ?? ''), { early: true });
      return { kind: 'failed', error: { code: 'unavailable', message: 'cut' } };
    };
    const { runId } = await engine.start('a poster');
    await engine.work();
    await engine.answer((await engine.wait(runId)).id, { type: 'approve' });
    await engine.work();
    expect((await engine.record(runId)).calls).toMatchObject([
      { status: 'succeeded', resultText: expect.stringContaining('"early":true') },
    ]);
    expect(await engine.brokenRules(runId)).toEqual([]);
  });

  it('a job that was refused closes its callback, and a late one is refused', async () => {
    const engine = posterStudio();
    engine.model.script = [
      { calls: [{ name: 'draw_poster', arguments: { headline: 'Tea' } }] },
      { text: 'It failed.' },
    ];
    engine.tools.scripts.draw_poster = () => ({
      kind: 'failed',
      error: { code: 'no_ink', message: 'There is no ink.' },
    });
    const { runId } = await engine.start('a poster');
    await engine.work();
    await engine.answer((await engine.wait(runId)).id, { type: 'approve' });
    await engine.work();
    const { interrupts, calls } = await engine.record(runId);
    expect(calls).toMatchObject([{ status: 'failed', error: { code: 'no_ink' } }]);
    const job = interrupts.find(({ kind }) => kind === 'callback');
    await expect(engine.callback(job?.id ?? '')).rejects.toMatchObject({ code: 'interrupt_closed' });
    expect(await engine.brokenRules(runId)).toEqual([]);
  });
});
