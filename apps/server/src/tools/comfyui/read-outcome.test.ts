import { comfyuiExecutor } from '@plinth/protocol';
import { expect, it } from 'vitest';
import { type HistoryEntry, historyEntry } from './host-answers.js';
import { readOutcome } from './read-outcome.js';
import { readPromptRefusal } from './read-refusal.js';

const spec = comfyuiExecutor.parse({
  kind: 'comfyui',
  hosts: ['gpu'],
  workflow: {
    '1': { class_type: 'KSampler', inputs: { steps: 20, model: 'm' }, _meta: { title: 'Sample' } },
    '2': { class_type: 'SaveImage', inputs: {} },
    '3': { class_type: 'PreviewAny', inputs: {} },
  },
  inputs: [{ parameter: 'effort', node: '1', input: 'steps' }],
  outputs: [
    { node: '2', title: 'Poster' },
    { node: '3', as: 'text' },
  ],
});

const entry = (outputs: unknown, messages: unknown[] = [], status_str = 'success'): HistoryEntry =>
  historyEntry.parse({
    prompt: [0, 'p', {}, { client_id: 'c' }, ['2']],
    outputs,
    status: { status_str, completed: status_str === 'success', messages },
  });
const file = (filename: string) => ({ filename, subfolder: '', type: 'output' });

it('files of the named nodes, whatever kind of output they are, and texts by the name of their node', () => {
  const outputs = {
    '2': { images: [file('a.png'), file('b.png')], animated: [false] },
    '3': { text: ['hello'] },
  };
  expect(readOutcome(spec, entry(outputs))).toEqual({
    ok: true,
    files: [
      { file: file('a.png'), title: 'Poster 1' },
      { file: file('b.png'), title: 'Poster 2' },
    ],
    texts: { '3': 'hello' },
  });
  expect(readOutcome(spec, entry({ '2': { audio: [file('a.flac')] } }))).toMatchObject({
    files: [{ title: 'Poster' }],
  });
});

it('a workflow that produced nothing of what is wanted is a failure', () => {
  expect(readOutcome(spec, entry({ '1': { images: [file('a.png')] } }))).toMatchObject({
    ok: false,
    error: { code: 'no_output' },
  });
});

it.each([
  ['execution_interrupted', { node_id: '1' }, 'interrupted', /Somebody stopped/],
  [
    'execution_error',
    { node_id: '1', exception_message: 'out of memory\n' },
    'execution_failed',
    /"Sample": out of memory$/,
  ],
  ['execution_error', {}, 'execution_failed', /a node/],
])('%s %j ends as %s', (event, data, code, message) => {
  const outcome = readOutcome(
    spec,
    entry(
      {},
      [
        ['execution_start', {}],
        [event, data],
      ],
      'error',
    ),
  );
  expect(outcome).toMatchObject({ ok: false, error: { code, message: expect.stringMatching(message) } });
});

it('hosts of before 2024 keep no status', () => {
  const { status: _status, ...old } = entry({ '2': { images: [file('a.png')] } });
  expect(readOutcome(spec, old)).toMatchObject({ ok: true });
});

const refused = (node: string, input_name: string) => ({
  error: { message: 'Prompt outputs failed validation', details: '' },
  node_errors: {
    [node]: {
      class_type: 'KSampler',
      errors: [{ message: 'Value too big', details: input_name, extra_info: { input_name } }],
    },
  },
});

it('a refusal names the argument when one is to blame, so that the model can call again', () => {
  expect(readPromptRefusal(spec, refused('1', 'steps'))).toEqual({
    code: 'invalid_arguments',
    message: 'The host does not take the arguments: effort: Value too big.',
  });
});

it('a refusal of something else is no matter of the arguments', () => {
  expect(readPromptRefusal(spec, refused('1', 'model'))).toMatchObject({
    code: 'workflow_refused',
    message: expect.stringContaining('node 1 (KSampler): Value too big'),
  });
  expect(readPromptRefusal(spec, { error: 'no prompt', node_errors: {} }).code).toBe('workflow_refused');
});
