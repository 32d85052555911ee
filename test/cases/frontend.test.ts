import type { Answer, JsonObject, LeaseResponse } from '@plinth/protocol';
import type { ApiClient } from '@plinth/testkit/system';
import { until } from '@plinth/testkit/system';
import { expect, it } from 'vitest';
import { onEveryTopology } from './support/on-plinth.js';
import { type BeforeAnswer, playTwice } from './support/play-twice.js';
import { toolResults } from './support/results.js';
import { jobTool, objectSchema } from './support/tools.js';

const editTool = (key: string, more: JsonObject): JsonObject => ({
  key,
  title: 'Edit',
  description: 'Edits a file in the page of the user.',
  parameters: objectSchema({ file: { type: 'string' } }),
  executor: { kind: 'frontend', handler: 'editor', ...more },
});
const tools = (jobs: string) => [
  editTool('edit', { recovery: 'rerun' }),
  editTool('edit_again', { recovery: 'rerun', leaseSeconds: 2, claimTimeoutSeconds: 600 }),
  editTool('edit_once', { recovery: 'fail', leaseSeconds: 2 }),
  editTool('edit_asking', { recovery: 'ask', leaseSeconds: 2 }),
  editTool('edit_nowhere', { claimTimeoutSeconds: 1 }),
  jobTool('lookup', jobs),
];

const call = (name: string) => ({ name, arguments: { file: 'a.txt' } });
const result = (clientId: string, value = 'edited'): Answer => ({ type: 'result', clientId, value });
const lease = (who: ApiClient, id: string, clientId: string) =>
  who.raw('POST', `/v1/interrupts/${id}/lease`, { clientId });

/** Asks for the lease until it is given. */
const taken = (who: ApiClient, id: string, clientId: string) =>
  until(`${clientId} takes ${id}`, async () => {
    const { status, body } = await lease(who, id, clientId);
    return status === 200 ? (body as LeaseResponse) : null;
  });

onEveryTopology('tools that a page of the person runs', tools, (use) => {
  it('of two pages that ask at the same instant one gets the lease, and only its result is taken', async () => {
    const current = use();
    const { plinth, script, requestBody } = current;
    script({ toolCalls: [call('edit')] }, { text: 'Done.' });
    const [one, two] = await Promise.all([
      plinth.session('ada', plinth.apis[0]?.url),
      plinth.session('ada', plinth.apis.at(-1)?.url),
    ]);
    await playTwice(current, async (beforeAnswer: BeforeAnswer) => {
      const run = await one.start('edit it');
      const { id } = await one.parkedOn(run.messageId, 'edit');
      await beforeAnswer(run);
      const outcomes = await Promise.all([lease(one, id, 'page-one'), lease(two, id, 'page-two')]);
      expect(outcomes.map(({ status }) => status).sort()).toEqual([200, 409]);
      const holder = outcomes[0]?.status === 200 ? 'page-one' : 'page-two';
      const other = holder === 'page-one' ? 'page-two' : 'page-one';
      expect(outcomes.find(({ status }) => status === 409)?.body).toMatchObject({
        code: 'interrupt_leased',
        facts: { mayFollow: true, until: expect.any(String) },
      });
      const stolen = { requestId: `of-${other}-${run.runId}`, answer: result(other, 'not mine') };
      expect(await two.raw('POST', `/v1/interrupts/${id}/answer`, stolen)).toMatchObject({
        status: 409,
        body: { code: 'lease_not_held' },
      });
      await one.answer(id, result(holder));
      expect(await one.ended(run.messageId)).toMatchObject({
        reason: 'final_answer',
        calls: [{ status: 'succeeded' }],
      });
      expect(toolResults(requestBody(1))).toEqual([{ tool: 'edit', content: '{"result":"edited"}' }]);
    });
  });

  it('S4: a result that comes while another tool of the turn still waits is kept, and the run goes on once', async () => {
    const { plinth, script, requestBody, requestCount } = use();
    script(
      { toolCalls: [call('edit'), { name: 'lookup', arguments: { subject: 'tea' } }] },
      { text: 'Done.' },
    );
    const ada = await plinth.session();
    // The page answers while the service that was just called has not even answered yet.
    plinth.jobs.react = async ({ runId }) => {
      const { items } = await ada.call<{ items: { id: string; messageId: string }[] }>('GET', '/v1/runs');
      const messageId = items.find((run) => run.id === runId)?.messageId ?? '';
      const { interrupts } = await ada.message(messageId);
      const id = interrupts.find(({ kind }) => kind === 'frontend')?.id ?? '';
      await taken(ada, id, 'page-one');
      await ada.answer(id, result('page-one'));
      return { status: 202, body: {} };
    };
    const run = await ada.start('edit it and look it up');
    await plinth.jobs.finish(await plinth.jobs.dispatchOf(run.runId));
    expect(await ada.ended(run.messageId)).toMatchObject({ reason: 'final_answer' });
    expect(toolResults(requestBody(1)).map(({ content }) => content)).toEqual([
      '{"result":"edited"}',
      '{"result":{"done":true}}',
    ]);
    expect(requestCount()).toBe(2);
  });

  it('S3: a page that went away is followed by another one, is not, or is asked about, as the tool says', async () => {
    const { plinth, script } = use();
    const ada = await plinth.session();
    const begun = async (tool: string) => {
      script({ toolCalls: [call(tool)] }, { text: 'Done.' });
      const run = await ada.start('edit it');
      const { id } = await ada.parkedOn(run.messageId, tool);
      await taken(ada, id, 'page-before');
      return { run, id };
    };

    const again = await begun('edit_again');
    await taken(ada, again.id, 'page-after');
    expect(
      await ada.raw('POST', `/v1/interrupts/${again.id}/answer`, {
        requestId: 'of-the-page-before',
        answer: result('page-before'),
      }),
    ).toMatchObject({ status: 409, body: { code: 'lease_not_held' } });
    await ada.answer(again.id, result('page-after'));
    expect(await ada.ended(again.run.messageId)).toMatchObject({ calls: [{ status: 'succeeded' }] });

    const once = await begun('edit_once');
    expect(await ada.ended(once.run.messageId)).toMatchObject({
      reason: 'final_answer',
      calls: [{ status: 'unknown', error: { code: 'client_lost' } }],
    });
    expect(await lease(ada, once.id, 'page-after')).toMatchObject({
      status: 409,
      body: { code: 'interrupt_closed' },
    });

    const asking = await begun('edit_asking');
    const question = await until('the question', async () => {
      const { status, interrupts } = await ada.message(asking.run.messageId);
      return (
        (status === 'interrupted' &&
          interrupts.find(({ kind, state }) => kind === 'question' && state === 'open')) ||
        null
      );
    });
    await ada.answer(question.id, { type: 'resolve', outcome: 'did_not_happen' });
    const next = await until('the tool, once more', async () => {
      const { interrupts } = await ada.message(asking.run.messageId);
      return interrupts.find(({ kind, state }) => kind === 'frontend' && state === 'open') ?? null;
    });
    await taken(ada, next.id, 'page-after');
    await ada.answer(next.id, result('page-after'));
    expect(await ada.ended(asking.run.messageId)).toMatchObject({ calls: [{ status: 'succeeded' }] });
  });

  it('that no page turns up ends the call with an error that the model can act on', async () => {
    const { plinth, script, requestBody } = use();
    script({ toolCalls: [call('edit_nowhere')] }, { text: 'Please open the page.' });
    const ada = await plinth.session();
    const run = await ada.start('edit it');
    expect(await ada.ended(run.messageId)).toMatchObject({
      reason: 'final_answer',
      calls: [{ status: 'expired' }],
    });
    expect(JSON.parse(toolResults(requestBody(1))[0]?.content ?? '')).toMatchObject({
      error: { code: 'no_client', message: expect.stringContaining('Ask the user to open the page') },
    });
  });
});
