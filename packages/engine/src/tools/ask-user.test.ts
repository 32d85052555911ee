import { type JsonObject, toolDefinition } from '@plinth/protocol';
import { startEngine } from '@plinth/testkit';
import { describe, expect, it } from 'vitest';
import { askUserForm, askUserProblem } from './ask-user.js';
import { validateAgainst } from './json-schema.js';

const SIZES: JsonObject[] = [{ value: 's', label: 'Small' }, { value: 'm' }];
const FORM: JsonObject = {
  question: 'How shall it be printed?',
  fields: [
    { name: 'size', label: 'Size', type: 'choice', options: SIZES },
    { name: 'extras', label: 'Extras', type: 'choices', options: SIZES, required: false },
    { name: 'copies', label: 'Copies', type: 'number', min: 1, max: 9 },
    { name: 'framed', label: 'Framed?', type: 'yes_no' },
    { name: 'note', label: 'Note', type: 'text', required: false },
  ],
};

describe('what may be asked', () => {
  it.each<[JsonObject, string]>([
    [{}, 'question is required'],
    [{ question: 'Which?', options: [{ value: 'a' }] }, 'options must NOT have fewer than 2 items'],
    [{ question: 'Which?', options: [{ value: 'a' }, { value: 'a' }] }, '"a" is there twice'],
    [{ question: 'Which?', multiple: true }, '"multiple" needs options'],
    [{ question: 'Which?', options: SIZES, fields: [{ name: 'a', label: 'A', type: 'text' }] }, 'not both'],
    [{ question: '?', fields: [{ name: 'a', label: 'A', type: 'choice' }] }, 'the field "a" needs options'],
    [
      { question: '?', fields: [{ name: 'a', label: 'A', type: 'text', options: SIZES }] },
      'takes no options',
    ],
    [{ question: '?', fields: [{ name: 'a', label: 'A', type: 'number', min: 2, max: 1 }] }, 'min above max'],
  ])('%j is refused with what to mend: %s', (given, problem) => {
    expect(askUserProblem(given)).toContain(problem);
  });

  it('options, several of them, a text and a form are asked', () => {
    for (const given of [{ question: 'Why?' }, { question: 'Which?', options: SIZES, multiple: true }, FORM])
      expect(askUserProblem(given)).toBeNull();
  });
});

describe('the form of a question', () => {
  it('options become one choice; the answer is one of their values', () => {
    const { component, props, schema } = askUserForm({ question: 'Which?', options: SIZES });
    expect(component).toBe('plinth.ask_user');
    expect(props).toMatchObject({
      question: 'Which?',
      fields: [
        {
          name: 'answer',
          label: null,
          type: 'choice',
          options: [
            { value: 's', label: 'Small' },
            { value: 'm', label: 'm' },
          ],
        },
      ],
    });
    expect(validateAgainst(schema, { answer: 'm' })).toEqual([]);
    expect(validateAgainst(schema, { answer: 'xl' })).toHaveLength(1);
    expect(validateAgainst(schema, {})).toHaveLength(1);
  });

  it('the answer of a form must have what is required, within its bounds, and nothing else', () => {
    const { schema } = askUserForm(FORM);
    const answer = { size: 's', copies: 3, framed: false };
    expect(validateAgainst(schema, answer)).toEqual([]);
    expect(validateAgainst(schema, { ...answer, extras: [], note: '' })).toEqual([]);
    expect(validateAgainst(schema, { ...answer, copies: 10 })).toMatchObject([{ path: 'copies' }]);
    expect(validateAgainst(schema, { ...answer, extras: ['s', 's'] })).toMatchObject([{ path: 'extras' }]);
    expect(validateAgainst(schema, { ...answer, more: 1 })).toHaveLength(1);
    expect(validateAgainst(schema, { size: 's', copies: 3 })).toMatchObject([{ path: 'framed' }]);
  });
});

describe('a call of ask_user', () => {
  const tool = toolDefinition.parse({
    key: 'ask',
    title: 'Question',
    description: 'Asks the user.',
    parameters: { type: 'object' },
    executor: { kind: 'builtin', name: 'ask_user' },
  });
  const asking = (given: JsonObject) =>
    startEngine({ tools: [tool], model: [{ calls: [{ name: 'ask', arguments: given }] }, { text: 'ok' }] });

  it('waits like a form, refuses what does not fit, and the answer is the result', async () => {
    const engine = asking({ question: 'Which?', options: SIZES });
    const { runId } = await engine.start('go');
    await engine.work();
    const wait = await engine.wait(runId);
    expect(wait).toMatchObject({ kind: 'component', payload: { component: 'plinth.ask_user' } });
    expect((await engine.view(runId)).calls[0]).toMatchObject({ location: 'client', status: 'started' });
    const wrong = engine.answer(wait.id, { type: 'submit', value: { answer: 'xl' } });
    await expect(wrong).rejects.toMatchObject({
      code: 'answer_invalid',
      fields: [{ path: 'answer.value.answer' }],
    });
    engine.store.clear();
    await engine.answer(wait.id, { type: 'submit', value: { answer: 'm' } });
    await engine.work();
    expect(engine.model.bodies.at(-1)).toContain(JSON.stringify(JSON.stringify({ answer: 'm' })));
    expect(engine.tools.effects).toEqual([]);
    expect(await engine.brokenRules(runId)).toEqual([]);
  });

  it('that cannot be shown is told to the model, and nobody is asked', async () => {
    const engine = asking({ question: 'Which?', options: [{ value: 'a' }, { value: 'a' }] });
    const { runId } = await engine.start('go');
    await engine.work();
    expect(await engine.view(runId)).toMatchObject({
      status: 'completed',
      interrupts: [],
      calls: [
        {
          status: 'failed',
          error: { code: 'invalid_arguments', message: expect.stringContaining('"a" is there twice') },
        },
      ],
    });
  });

  it('needs nothing of the server that goes on with it', async () => {
    const engine = asking({ question: 'Why?' });
    engine.tools.lost.add('builtin');
    const { runId } = await engine.start('go');
    await engine.work();
    expect(await engine.wait(runId)).toMatchObject({ kind: 'component' });
  });
});
