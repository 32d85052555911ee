import { comfyuiExecutor, type TenantId } from '@plinth/protocol';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { fillWorkflow } from './fill-workflow.js';
import { promptNames, seedOf } from './job-names.js';

const spec = comfyuiExecutor.parse({
  kind: 'comfyui',
  hosts: ['http://host'],
  workflow: {
    '1': { class_type: 'Text', inputs: { text: 'as it was', strength: 1 } },
    '2': { class_type: 'Sampler', inputs: { seed: 5, text: ['1', 0] } },
    '3': { class_type: 'LoadImage', inputs: { image: 'example.png' } },
  },
  inputs: [
    { parameter: 'words', node: '1', input: 'text' },
    { parameter: 'strength', node: '1', input: 'strength' },
    { parameter: 'picture', node: '3', input: 'image', kind: 'image' },
  ],
  outputs: [{ node: '2' }],
  seed: { targets: [{ node: '2', input: 'seed' }], parameter: 'seed' },
});
const NO_FILES = new Map<string, string>();

it('arguments stand in their places, files by their name at the host; the rest and the definition stay', () => {
  const before = structuredClone(spec);
  const files = new Map([['picture', 'plinth/a.png']]);
  const { prompt } = fillWorkflow(spec, { words: 'tea', picture: 'art_1' }, files, 9);
  expect(prompt['1']?.inputs).toEqual({ text: 'tea', strength: 1 });
  expect(prompt['2']?.inputs).toEqual({ seed: 9, text: ['1', 0] });
  expect(prompt['3']?.inputs).toEqual({ image: 'plinth/a.png' });
  expect(spec).toEqual(before);
});

it('null is an argument that was not given; zero and false are values', () => {
  const { prompt } = fillWorkflow(spec, { words: null, strength: 0 }, NO_FILES, 9);
  expect(prompt['1']?.inputs).toEqual({ text: 'as it was', strength: 0 });
});

it('the seed is the argument, else the one of the call; without seed the workflow keeps its own', () => {
  expect(fillWorkflow(spec, { seed: 0 }, NO_FILES, 9).seed).toBe(0);
  expect(fillWorkflow(spec, {}, NO_FILES, 9).seed).toBe(9);
  const { seed: _seed, ...without } = spec;
  const filled = fillWorkflow(without, {}, NO_FILES, 9);
  expect([filled.seed, filled.prompt['2']?.inputs.seed]).toEqual([null, 5]);
});

it('names and seed of a call are always the same, and those of two calls or tenants differ', () => {
  fc.assert(
    fc.property(fc.string(), fc.string(), (one, other) => {
      const [acme, globex] = ['ten_a' as TenantId, 'ten_b' as TenantId];
      expect(promptNames(acme, one)).toEqual(promptNames(acme, one));
      expect(promptNames(acme, one).promptId).toMatch(
        /^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
      );
      expect(promptNames(acme, one).promptId).not.toBe(promptNames(globex, one).promptId);
      fc.pre(one !== other);
      expect(promptNames(acme, one).promptId).not.toBe(promptNames(acme, other).promptId);
      expect(seedOf(acme, one)).toBe(seedOf(acme, one));
      expect(Number.isSafeInteger(seedOf(acme, one)) && seedOf(acme, one) >= 0).toBe(true);
    }),
  );
});
