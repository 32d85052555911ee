import { scripted } from '@plinth/model-sim';
import { until } from '@plinth/testkit/system';
import { beforeEach, expect, it } from 'vitest';
import { object, withPlinth } from './with-plinth.js';

const plinth = withPlinth({ PLINTH_LEASE_MS: '4000', PLINTH_SWEEP_MS: '200' }, (jobs) => [
  {
    key: 'charge',
    title: 'Charge',
    description: 'Charges the card.',
    parameters: object({ amount: { type: 'number' } }),
    executor: { kind: 'remote', url: `${jobs}/charge` },
    onUnknown: 'ask',
    timeoutMs: 60_000,
  },
]);

beforeEach(() => {
  plinth().sim.setScenarios([
    scripted([{ toolCalls: [{ name: 'charge', arguments: { amount: 7 } }] }, { text: 'Done.' }]),
  ]);
});

/** A run whose worker was killed while the job was on its way, and which now asks about it. */
async function lost() {
  const { jobs, servers, session } = plinth();
  jobs.react = async () => 'hold';
  const ada = await session('ada');
  const run = await ada.start('charge me');
  const dispatch = await jobs.dispatchOf(run.runId);
  for (const server of servers) await server.stop('SIGKILL');
  jobs.react = async () => ({ status: 202 });
  for (const server of servers) await server.start();
  const isQuestion = async () =>
    (await ada.message(run.messageId)).interrupts.find(({ kind }) => kind === 'question') ?? null;

  const question = await until('the question', isQuestion, 30_000);
  const sent = () => jobs.dispatches.filter(({ runId }) => runId === run.runId);
  return { ada, run, dispatch, question, sent };
}

it('a charge that a crash cut off is asked about; "it did not happen" sends it again with the same key', async () => {
  const { ada, run, dispatch, question, sent } = await lost();
  expect(question).toMatchObject({ state: 'open', arguments: { amount: 7 }, closedWhy: null });
  expect(sent()).toHaveLength(1);
  const wrong = { requestId: 'a-wrong-answer', answer: { type: 'approve' } };
  expect(await ada.raw('POST', `/v1/interrupts/${question.id}/answer`, wrong)).toMatchObject({
    status: 422,
    body: { code: 'answer_invalid' },
  });
  await ada.answer(question.id, { type: 'resolve', outcome: 'did_not_happen' });
  const again = await plinth().jobs.dispatchOf(run.runId, 1);
  expect(again).toMatchObject({
    idempotencyKey: dispatch.idempotencyKey,
    callbackUrl: dispatch.callbackUrl,
  });
  await plinth().jobs.finish(again);
  expect(await ada.ended(run.messageId)).toMatchObject({
    reason: 'final_answer',
    calls: [{ status: 'succeeded' }],
  });
  expect(sent()).toHaveLength(2);
}, 60_000);

it('its callback that comes after all answers instead, and the question is closed to the person', async () => {
  const { ada, run, dispatch, question, sent } = await lost();
  expect(await plinth().jobs.finish(dispatch)).toMatchObject({ status: 200 });
  const late = { requestId: 'a-late-answer', answer: { type: 'resolve', outcome: 'did_not_happen' } };
  expect(await ada.raw('POST', `/v1/interrupts/${question.id}/answer`, late)).toMatchObject({
    status: 409,
    body: { code: 'interrupt_closed', facts: { why: 'settled' } },
  });
  const view = await ada.ended(run.messageId);
  expect(view).toMatchObject({
    calls: [{ status: 'succeeded' }],
    interrupts: [{ state: 'answered' }, { state: 'closed', closedWhy: 'settled' }],
  });
  expect(sent()).toHaveLength(1);
}, 60_000);
