import { scripted } from '@plinth/model-sim';
import type { JsonObject } from '@plinth/protocol';
import { expect, it } from 'vitest';
import { object, tools, withPlinth } from './with-plinth.js';

const plinth = withPlinth();

it('a run that waits ends on the definition it began with; that there is another one is told and counted', async () => {
  const { sim, jobs, session, addBusiness, metric } = plinth();
  sim.setScenarios([
    scripted([{ toolCalls: [{ name: 'order', arguments: { subject: 'tea' } }] }, { text: 'Done.' }]),
  ]);
  const ada = await session('ada');
  const run = await ada.start('order tea');
  const dispatch = await jobs.dispatchOf(run.runId);
  await ada.parkedOn(run.messageId, 'order');
  const changed = (tool: JsonObject): JsonObject =>
    tool.key === 'order' ? { ...tool, parameters: object({ article: { type: 'string' } }) } : tool;
  await addBusiness({ key: 'acme', tools: tools(jobs.url).map(changed) });

  await jobs.finish(dispatch);
  expect(await ada.ended(run.messageId)).toMatchObject({
    reason: 'final_answer',
    calls: [{ status: 'succeeded' }],
  });
  const events = await ada.stream(run.messageId);
  expect(events.filter(({ type }) => type === 'notice')).toMatchObject([
    { code: 'definition_changed', message: expect.stringContaining('order (breaking)') },
  ]);
  expect(await metric('plinth_definition_verdict_total', { verdict: 'breaking' })).toBe(1);
});
