import { scripted } from '@plinth/model-sim';
import type { InterruptView, JsonObject } from '@plinth/protocol';
import type { ApiClient } from '@plinth/testkit/system';
import { expect, it } from 'vitest';
import { object, withPlinth } from './with-plinth.js';

const pay = (key: string, jobs: string, more: JsonObject): JsonObject => ({
  key,
  title: 'Pay',
  description: 'Pays.',
  parameters: object({ amount: { type: 'number' } }),
  executor: { kind: 'remote', url: `${jobs}/pay` },
  requireConfirmation: 'always',
  ...more,
});
const plinth = withPlinth({}, (jobs) => [
  pay('pay', jobs, { requireConfirmation: { when: 'arguments.amount > 100' } }),
  pay('gift', jobs, { remember: 'thread' }),
]);

function model(tool: string, amount: number): void {
  const call = { toolCalls: [{ name: tool, arguments: { amount } }] };
  plinth().sim.setScenarios([scripted([call, { text: 'Done.' }])]);
}

type Gate = Extract<InterruptView, { kind: 'confirmation' }>;
const gateOf = async (who: ApiClient, messageId: string, tool: string) =>
  (await who.parkedOn(messageId, tool)) as Gate;

async function finish(who: ApiClient, run: { runId: string; messageId: string }) {
  const dispatch = await plinth().jobs.dispatchOf(run.runId);
  await plinth().jobs.finish(dispatch);
  const view = await who.ended(run.messageId);
  expect(view).toMatchObject({ reason: 'final_answer', calls: [{ status: 'succeeded' }] });
  return { dispatch, view };
}

it('a condition over the arguments decides who is asked', async () => {
  const ada = await plinth().session('ada');
  model('pay', 100);
  await finish(ada, await ada.start('pay a little'));
  model('pay', 101);
  const run = await ada.start('pay more');
  const gate = await gateOf(ada, run.messageId, 'pay');
  expect(gate).toMatchObject({ arguments: { amount: 101 }, remember: 'never' });
  await ada.answer(gate.id, { type: 'approve' });
  await finish(ada, run);
});

it('E9: an approval of other arguments than the stored ones is refused, and what is stored is what runs', async () => {
  const ada = await plinth().session('ada');
  model('pay', 500);
  const first = await ada.start('pay');
  const other = await gateOf(ada, first.messageId, 'pay');
  model('pay', 900);
  const run = await ada.start('pay more', { threadId: first.threadId });
  const gate = await gateOf(ada, run.messageId, 'pay');
  const stale = { type: 'approve', argumentsDigest: other.argumentsDigest };
  expect(
    await ada.raw('POST', `/v1/interrupts/${gate.id}/answer`, { requestId: 'a-stale-page', answer: stale }),
  ).toMatchObject({
    status: 409,
    body: { code: 'arguments_digest_mismatch', facts: { argumentsDigest: gate.argumentsDigest } },
  });
  await ada.answer(gate.id, { type: 'approve', argumentsDigest: gate.argumentsDigest });
  const { dispatch } = await finish(ada, run);
  expect(dispatch.arguments).toEqual({ amount: 900 });
});

it('an edit is a version of its own: it runs, and both stay visible', async () => {
  const ada = await plinth().session('ada');
  model('pay', 500);
  const run = await ada.start('pay');
  const gate = await gateOf(ada, run.messageId, 'pay');
  await ada.answer(gate.id, { type: 'approve', arguments: { amount: 450 } });
  const { dispatch, view } = await finish(ada, run);
  expect(dispatch.arguments).toEqual({ amount: 450 });
  expect(view.calls).toMatchObject([{ arguments: { amount: 450 }, originalArguments: { amount: 500 } }]);
});

it('"do not ask again" holds in the thread until it is taken back, and is refused where it is not offered', async () => {
  const ada = await plinth().session('ada');
  model('pay', 500);
  const strict = await ada.start('pay');
  const { id } = await gateOf(ada, strict.messageId, 'pay');
  const wish = { type: 'approve', remember: true } as const;
  expect(
    await ada.raw('POST', `/v1/interrupts/${id}/answer`, { requestId: 'a-forged-wish', answer: wish }),
  ).toMatchObject({ status: 422, body: { code: 'answer_invalid', errors: [{ path: 'answer.remember' }] } });

  model('gift', 5);
  const run = await ada.start('give');
  const { threadId } = run;
  const gate = await gateOf(ada, run.messageId, 'gift');
  expect(gate).toMatchObject({ remember: 'thread' });
  await ada.answer(gate.id, wish);
  await finish(ada, run);
  expect(await ada.call('GET', `/v1/threads/${threadId}/approvals`)).toMatchObject({
    items: [{ tool: 'gift', interruptId: gate.id }],
  });
  const again = await ada.start('give again', { threadId });
  expect((await finish(ada, again)).view.interrupts).toMatchObject([{ kind: 'callback' }]);

  const eve = await plinth().session('eve');
  expect(await eve.raw('DELETE', `/v1/threads/${threadId}/approvals/gift`)).toMatchObject({ status: 404 });
  expect(await ada.call('DELETE', `/v1/threads/${threadId}/approvals/gift`)).toEqual({ items: [] });
  const asked = await ada.start('give once more', { threadId });
  const later = await gateOf(ada, asked.messageId, 'gift');
  await ada.answer(later.id, { type: 'decline' });
  expect(await ada.ended(asked.messageId)).toMatchObject({ calls: [{ status: 'declined' }] });
}, 60_000);
