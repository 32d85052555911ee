import { scripted } from '@plinth/model-sim';
import type { RunView } from '@plinth/protocol';
import { expect, it } from 'vitest';
import { object, withPlinth } from './with-plinth.js';

const plinth = withPlinth({}, () => [
  {
    key: 'hand_over',
    title: 'Hand over',
    description: 'Hands the matter over to a person.',
    parameters: object({}),
    executor: { kind: 'component', component: 'HandOver', submit: object({ to: { type: 'string' } }) },
    closing: true,
  },
]);

it('the last turn offers closing tools only, waits for one, and the run ends with its result and its cost', async () => {
  const { backend, session, sim } = plinth();
  const price = { inputPerMillion: 2, cachedInputPerMillion: 1, outputPerMillion: 8 };
  const values = { budgets: { maxTurns: 1 }, model: { price } };
  await backend.call('PUT', '/v1/config', { expectedRevision: 1, values, reason: 'a test of last turns' });
  const calls = ['ask', 'hand_over'].map((name) => ({ name, arguments: {} }));
  sim.setScenarios([scripted([{ toolCalls: calls }])]);
  const ada = await session('ada');
  const run = await ada.start('hello');
  const form = await ada.parkedOn(run.messageId, 'hand_over');
  await ada.answer(form.id, { type: 'submit', value: { to: 'Bo' } });

  const ended = await ada.ended(run.messageId);
  expect(ended).toMatchObject({
    status: 'completed',
    reason: 'final_answer',
    calls: [{ tool: 'hand_over', status: 'succeeded' }],
  });
  expect(sim.requests).toHaveLength(1);
  const [asked] = sim.requests.map(({ parsed }) => parsed);
  expect(asked?.tools?.map(({ function: { name } }) => name)).toEqual(['ask', 'order', 'hand_over']);
  expect(asked?.tool_choice).toMatchObject({
    allowed_tools: { mode: 'auto', tools: [{ function: { name: 'hand_over' } }] },
  });
  expect(asked?.messages.at(-1)).toMatchObject({
    role: 'system',
    content: expect.stringMatching(/^Turn 1 of 1\./),
  });

  const { inputTokens, outputTokens } = ended.usage;
  const view = await ada.call<RunView>('GET', `/v1/runs/${run.runId}`);
  expect(view.usage).toEqual(ended.usage);
  expect(view.usage.cost).toBeCloseTo((inputTokens * 2 + outputTokens * 8) / 1e6, 9);
});
