import type { JsonObject } from '@plinth/protocol';
import { expect, it } from 'vitest';
import { checkTool } from '../check-tool.js';

const tool = (
  executor: JsonObject = {},
  properties: JsonObject = { words: { type: 'string' } },
): JsonObject => ({
  key: 'paint',
  title: 'Paint',
  description: 'Paints.',
  parameters: { type: 'object', properties },
  executor: {
    kind: 'comfyui',
    hosts: ['gpu-1', 'https://comfy.example'],
    workflow: {
      '1': { class_type: 'Text', inputs: { text: 'a' } },
      '2': { class_type: 'SaveImage', inputs: { images: ['1', 0] } },
    },
    inputs: [{ parameter: 'words', node: '1', input: 'text' }],
    outputs: [{ node: '2' }],
    ...executor,
  },
});

const input = (more: JsonObject) => ({ inputs: [{ parameter: 'words', node: '1', input: 'text', ...more }] });

it('a tool whose places are all there is taken', () => {
  expect(checkTool(tool())).toMatchObject({ ok: true });
});

it.each<[string, JsonObject, string, RegExp]>([
  ['a node that is not there', input({ node: '9' }), 'executor.inputs.0.node', /its nodes are 1 \(Text\), 2/],
  ['an input that is not there', input({ input: 'txt' }), 'executor.inputs.0.input', /its inputs are text/],
  ['an input that is linked', input({ node: '2', input: 'images' }), 'executor.inputs.0.input', /is linked/],
  ['an argument that is not there', input({ parameter: 'word' }), 'executor.inputs.0.parameter', /not among/],
  [
    'an output that is not there',
    { outputs: [{ node: '7' }] },
    'executor.outputs.0.node',
    /not in the workflow/,
  ],
  [
    'two arguments for one input',
    { seed: { targets: [{ node: '1', input: 'text' }] } },
    'executor.seed.targets.0',
    /same input as executor\.inputs\.0/,
  ],
  [
    'a link to a node that was left out',
    {
      workflow: {
        '1': { class_type: 'Text', inputs: { text: 'a' } },
        '2': { class_type: 'Save', inputs: { images: ['5', 0] } },
      },
    },
    'executor.workflow.2.inputs.images',
    /leads to node 5/,
  ],
  ['a host that is neither', { hosts: ['ftp://host'] }, 'executor.hosts.0', /http or https URL, or a name/],
])('%s is refused with its field', (_what, executor, path, message) => {
  const checked = checkTool(tool(executor));
  if (checked.ok) throw new Error('was taken');
  expect(checked.fields).toContainEqual({ path, message: expect.stringMatching(message) });
});

it('an argument that goes nowhere is refused: the model would think that it matters', () => {
  expect(checkTool(tool({}, { words: {}, colour: {} }))).toMatchObject({
    ok: false,
    fields: [{ path: 'parameters.properties.colour' }],
  });
});
