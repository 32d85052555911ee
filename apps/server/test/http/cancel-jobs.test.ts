import { scripted } from '@plinth/model-sim';
import { until } from '@plinth/testkit/system';
import { beforeEach, expect, it } from 'vitest';
import { object, withPlinth } from './with-plinth.js';

const plinth = withPlinth({}, (jobs) => [
  {
    key: 'print',
    title: 'Print',
    description: 'Prints something.',
    parameters: object({ subject: { type: 'string' } }),
    executor: { kind: 'remote', url: `${jobs}/print`, cancelUrl: `${jobs}/print/cancel` },
  },
]);

beforeEach(() => {
  plinth().sim.setScenarios([
    scripted([{ toolCalls: [{ name: 'print', arguments: { subject: 'tea' } }] }, { text: 'Done.' }]),
  ]);
});

async function printing() {
  const { jobs, session } = plinth();
  const ada = await session('ada');
  const run = await ada.start('print it');
  const dispatch = await jobs.dispatchOf(run.runId);
  await ada.parkedOn(run.messageId, 'print');
  const told = () =>
    until('the service is told', () => jobs.cancellations.find(({ callId }) => callId === dispatch.callId));
  return { ada, run, dispatch, told };
}

it('cancelling a run tells the service of its job, whose callback is then refused', async () => {
  const { ada, run, dispatch, told } = await printing();
  await ada.call('POST', `/v1/runs/${run.runId}/cancel`);
  expect(await told()).toEqual({
    path: '/print/cancel',
    callId: dispatch.callId,
    idempotencyKey: dispatch.idempotencyKey,
    reason: 'cancelled',
  });
  expect(await plinth().jobs.finish(dispatch)).toMatchObject({
    status: 409,
    body: { code: 'interrupt_closed' },
  });
});

it('a new message in the thread tells it that the run was superseded', async () => {
  const { ada, run, told } = await printing();
  await ada.start('something else', { threadId: run.threadId });
  expect(await told()).toMatchObject({ reason: 'superseded' });
});
