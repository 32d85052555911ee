import { scripted } from '@plinth/model-sim';
import type { JsonObject } from '@plinth/protocol';
import type { ApiClient } from '@plinth/testkit/system';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { withPlinth } from './with-plinth.js';

const plinth = withPlinth();

async function permit(backend: ApiClient, permissions: JsonObject[]): Promise<void> {
  const { revision } = await backend.call<{ revision: number }>('GET', '/v1/config');
  const values = { tools: { permissions } };
  await backend.call('PUT', '/v1/config', { expectedRevision: revision, values, reason: 'a test of rules' });
}

beforeEach(() => {
  const order = { toolCalls: [{ name: 'order', arguments: { subject: 'tea' } }] };
  plinth().sim.setScenarios([scripted([order, { text: 'Done.' }])]);
});
afterEach(() => permit(plinth().backend, []));

it('a tool that is denied to one end user is not called for them, and is for everybody else', async () => {
  const { backend, session, jobs, sim } = plinth();
  await permit(backend, [{ tool: 'ord*', endUser: 'eve', effect: 'deny' }]);
  const eve = await session('eve');
  const denied = await eve.start('order tea');
  const view = await eve.ended(denied.messageId);
  expect(view).toMatchObject({ reason: 'final_answer', calls: [{ error: { code: 'not_permitted' } }] });
  expect(jobs.dispatches.filter(({ runId }) => runId === denied.runId)).toEqual([]);
  expect(JSON.stringify(sim.requests.at(-1))).toContain('go on without it');

  const ada = await session('ada');
  const { runId, messageId } = await ada.start('order tea');
  await jobs.finish(await jobs.dispatchOf(runId));
  expect(await ada.ended(messageId)).toMatchObject({ calls: [{ status: 'succeeded' }] });
});

it('a rule that comes while a person is asked is the one that counts', async () => {
  const { backend, session, jobs } = plinth();
  await permit(backend, [{ tool: 'order', effect: 'ask' }]);
  const ada = await session('ada');
  const run = await ada.start('order tea');
  const asked = await ada.parkedOn(run.messageId, 'order');
  expect(asked).toMatchObject({ kind: 'confirmation', arguments: { subject: 'tea' } });
  await permit(backend, [{ tool: 'order', effect: 'deny' }]);
  await ada.answer(asked.id, { type: 'approve' });
  expect(await ada.ended(run.messageId)).toMatchObject({ calls: [{ error: { code: 'not_permitted' } }] });
  expect(jobs.dispatches.filter(({ runId }) => runId === run.runId)).toEqual([]);
});

it('a rule that cannot be is refused with its field', async () => {
  const values = { tools: { permissions: [{ tool: 'a b', effect: 'deny' }] } };
  const body = { expectedRevision: 0, values, reason: 'a wrong rule' };
  expect(await plinth().backend.raw('PUT', '/v1/config', body)).toMatchObject({
    status: 400,
    body: { errors: [{ path: 'values.tools.permissions.0.tool' }] },
  });
});
