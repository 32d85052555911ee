import fc from 'fast-check';
import { expect, it } from 'vitest';
import { PromptProgress } from './prompt-progress.js';
import type { HostMessage } from './prompt-socket.js';

const WORKFLOW = Object.fromEntries(
  ['1', '2', '3', '4'].map((id) => [id, { class_type: `Class${id}`, inputs: {} }]),
);
const executing = (node: string, prompt_id = 'p') => ({ type: 'executing', data: { node, prompt_id } });
const step = (node: string, value: number, max: number) => ({
  type: 'progress',
  data: { node, value, max, prompt_id: 'p' },
});

it('whole nodes count, and the part of the one that runs; cached ones are done', () => {
  const progress = new PromptProgress(WORKFLOW, 'p');
  expect(progress.take({ type: 'execution_cached', data: { nodes: ['1'], prompt_id: 'p' } })?.progress).toBe(
    0.25,
  );
  expect(progress.take(executing('2'))).toEqual({ progress: 0.25, message: 'Class2' });
  expect(progress.take(step('2', 1, 2))?.progress).toBe(0.375);
  expect(progress.take(executing('3'))?.progress).toBe(0.5);
});

it('what is said of another prompt, and what it does not know, changes nothing', () => {
  const progress = new PromptProgress(WORKFLOW, 'p');
  expect(progress.take(executing('2', 'another'))).toBeNull();
  expect(progress.take({ type: 'status', data: {} })).toBeNull();
  expect(progress.take({ type: 'progress', data: { value: 1, max: 0 } })).toBeNull();
});

it('whatever a host says, progress never goes back and stays short of the end', () => {
  const message = fc.oneof(
    fc.constantFrom('1', '2', '3', '4', 'no node').map((node): HostMessage => executing(node)),
    fc
      .tuple(fc.constantFrom('1', '2', '9'), fc.integer({ min: 0, max: 9 }), fc.integer({ min: -1, max: 5 }))
      .map(([node, value, max]): HostMessage => step(node, value, max)),
    fc
      .array(fc.constantFrom('1', '2', '3', '4', '5'))
      .map((nodes): HostMessage => ({ type: 'execution_cached', data: { nodes } })),
  );
  fc.assert(
    fc.property(fc.array(message), (messages) => {
      const progress = new PromptProgress(WORKFLOW, 'p');
      let before = 0;
      for (const one of messages) {
        const now = progress.take(one)?.progress ?? before;
        expect(now).toBeGreaterThanOrEqual(before);
        expect(now).toBeLessThan(1);
        before = now;
      }
    }),
  );
});
