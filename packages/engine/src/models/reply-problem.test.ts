import { NO_USAGE } from '@plinth/protocol';
import { idle, startEngine } from '@plinth/testkit';
import { describe, expect, it } from 'vitest';
import { replyProblem } from './reply-problem.js';

const replyOf = (...toolCalls: [id: string, name: string][]) => ({
  assistantRaw: '{}',
  text: '',
  toolCalls: toolCalls.map(([id, name]) => ({ id, name, arguments: '{}' })),
  usage: NO_USAGE,
});

describe('an answer of the model', () => {
  it('may be kept when an endpoint will take it back', () => {
    expect(replyProblem(replyOf())).toBeNull();
    expect(replyProblem(replyOf(['a', 'form'], ['b', 'made-up_1']))).toBeNull();
  });

  it.each([
    ['calls of one id', replyOf(['a', 'form'], ['a', 'form'])],
    ['a call without an id', replyOf(['', 'form'])],
    ['a name with a dot', replyOf(['a', 'functions.form'])],
    ['a name that is too long', replyOf(['a', 'x'.repeat(65)])],
    ['no name', replyOf(['a', ''])],
  ])('with %s is refused', (_name, reply) => {
    expect(replyProblem(reply)).toEqual(expect.stringContaining('The model'));
  });

  it('that is refused is asked for again, withdrawn from the readers, and never enters the thread', async () => {
    const engine = startEngine({
      model: (_asked, attempt) =>
        attempt === 1 ? { text: 'Hm', calls: [{ name: 'functions.form', arguments: {} }] } : { text: 'ok' },
    });
    const { runId } = await engine.start('go');
    const working = engine.work();
    await idle();
    engine.clock.advance(1_000);
    await working;
    expect(await engine.view(runId)).toMatchObject({
      status: 'completed',
      parts: [{ text: 'ok' }],
      calls: [],
    });
    expect((await engine.record(runId)).turns).toHaveLength(1);
    expect(await engine.brokenRules(runId)).toEqual([]);
  });
});
