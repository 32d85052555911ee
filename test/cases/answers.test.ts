import type { Answer } from '@plinth/protocol';
import { expect, it } from 'vitest';
import { onEveryTopology } from './support/on-plinth.js';
import { type BeforeAnswer, playTwice } from './support/play-twice.js';
import { toolResults } from './support/results.js';
import { formTool, jobTool } from './support/tools.js';

const approve: Answer = { type: 'approve' };
const decline: Answer = { type: 'decline', reason: 'too dear' };
const submit = (value: string): Answer => ({ type: 'submit', value: { value } });
const form = (name: string) => ({ name, arguments: { question: `${name}?` } });
const job = (name: string) => ({ name, arguments: { subject: 'tea' } });

const tools = (jobs: string) => [
  jobTool('order', jobs, { requireConfirmation: 'always' }),
  jobTool('lookup', jobs),
  formTool('first'),
  formTool('second'),
  formTool('third'),
];

onEveryTopology('answers to what waits', tools, (use) => {
  it('E1: of two different answers at the same instant exactly one is accepted, and the other is told who won', async () => {
    const { plinth, script, requestBody } = use();
    script({ toolCalls: [job('order')] }, { text: 'Done.' });
    const [one, other] = await Promise.all([
      plinth.session('ada', plinth.apis[0]?.url),
      plinth.session('ada', plinth.apis.at(-1)?.url),
    ]);
    const run = await one.start('order tea');
    const { id } = await one.parkedOn(run.messageId, 'order');

    const bodies = [approve, decline].map((answer, index) => ({
      requestId: `request-${run.runId}-${index}`,
      answer,
    }));
    const results = await Promise.all([
      one.raw('POST', `/v1/interrupts/${id}/answer`, bodies[0]),
      other.raw('POST', `/v1/interrupts/${id}/answer`, bodies[1]),
    ]);
    expect(results.map(({ status }) => status).sort()).toEqual([200, 409]);
    const won = results.findIndex(({ status }) => status === 200);
    expect(results[1 - won]?.body).toMatchObject({
      code: 'interrupt_already_answered',
      facts: { by: { kind: 'end_user', id: 'ada' }, answeredAt: expect.any(String) },
    });

    if (won === 0) await plinth.jobs.finish(await plinth.jobs.dispatchOf(run.runId));
    await one.ended(run.messageId);
    expect(plinth.jobs.dispatches.filter(({ runId }) => runId === run.runId)).toHaveLength(won === 0 ? 1 : 0);
    expect(toolResults(requestBody(1))).toEqual([
      { tool: 'order', content: expect.stringContaining(won === 0 ? '"done":true' : 'too dear') },
    ]);

    const again = await other.raw('POST', `/v1/interrupts/${id}/answer`, bodies[won]);
    expect(again).toEqual(results[won]);
  });

  it('E2: three parallel waits answered in reverse order each land on their own call, in call order', async () => {
    const current = use();
    current.script({ toolCalls: [form('first'), form('second'), form('third')] }, { text: 'Done.' });
    const ada = await current.plinth.session();
    await playTwice(current, async (beforeAnswer) => {
      const run = await ada.start('three questions');
      for (const tool of ['third', 'second', 'first']) {
        const { id } = await ada.parkedOn(run.messageId, tool);
        await beforeAnswer(run);
        await ada.answer(id, submit(`of ${tool}`));
      }
      const { reason } = await ada.ended(run.messageId);
      expect(reason).toBe('final_answer');
      expect(toolResults(current.requestBody(1))).toEqual([
        { tool: 'first', content: '{"value":"of first"}' },
        { tool: 'second', content: '{"value":"of second"}' },
        { tool: 'third', content: '{"value":"of third"}' },
      ]);
      expect(current.requestCount()).toBe(2);
    });
  });

  it.each(['job', 'gate'])(
    'E3: beside a gated call an ungated one runs exactly once, also when the %s ends first',
    async (firstToEnd) => {
      const current = use();
      const { plinth, script, requestBody } = current;
      script({ toolCalls: [job('order'), job('lookup')] }, { text: 'Done.' });
      const ada = await plinth.session();
      await playTwice(current, async (beforeAnswer) => {
        const run = await ada.start('order tea and look it up');
        const dispatched = () => plinth.jobs.dispatches.filter(({ runId }) => runId === run.runId);
        const gate = await ada.parkedOn(run.messageId, 'order');
        expect(dispatched().map(({ path }) => path)).toEqual(['/lookup']);
        const steps = {
          gate: async () => {
            await beforeAnswer(run);
            await ada.answer(gate.id, approve);
            await plinth.jobs.dispatchOf(run.runId, 1);
          },
          job: async () => {
            await beforeAnswer(run);
            await plinth.jobs.finish(await plinth.jobs.dispatchOf(run.runId), {
              status: 'succeeded',
              result: 'looked up',
            });
          },
        };
        await (firstToEnd === 'job' ? steps.job() : steps.gate());
        await (firstToEnd === 'job' ? steps.gate() : steps.job());
        await beforeAnswer(run);
        await plinth.jobs.finish(await plinth.jobs.dispatchOf(run.runId, 1), {
          status: 'succeeded',
          result: 'ordered',
        });

        expect((await ada.ended(run.messageId)).reason).toBe('final_answer');
        expect(dispatched().map(({ path }) => path)).toEqual(['/lookup', '/order']);
        expect(toolResults(requestBody(1))).toEqual([
          { tool: 'order', content: '{"result":"ordered"}' },
          { tool: 'lookup', content: '{"result":"looked up"}' },
        ]);
        expect(current.requestCount()).toBe(2);
      });
    },
  );

  it('E4: a new message closes the open form as superseded, its turn succeeds, and the late form gets 409', async () => {
    const current = use();
    const { plinth, script, requestBody } = current;
    const ada = await plinth.session();
    const play = async (beforeAnswer: BeforeAnswer) => {
      script({ toolCalls: [form('first')] });
      const run = await ada.start('ask me');
      const { id } = await ada.parkedOn(run.messageId, 'first');
      await beforeAnswer(run);

      script({ text: 'Then something else.' });
      const next = await ada.start('never mind', { threadId: run.threadId });
      expect(await ada.ended(next.messageId)).toMatchObject({ status: 'completed', reason: 'final_answer' });
      expect(toolResults(requestBody(0))).toEqual([
        { tool: 'first', content: expect.stringContaining('"status":"superseded"') },
      ]);

      const body = { requestId: 'late-submission', answer: submit('x') };
      expect(await ada.raw('POST', `/v1/interrupts/${id}/answer`, body)).toMatchObject({
        status: 409,
        body: { code: 'interrupt_closed', facts: { why: 'superseded' } },
      });
      expect(await ada.message(run.messageId)).toMatchObject({
        status: 'cancelled',
        reason: 'superseded',
        calls: [{ status: 'superseded' }],
        interrupts: [{ id, state: 'closed', closedWhy: 'superseded' }],
      });
    };
    await playTwice(current, play, { resumes: false });
  });

  it.each(['order', 'first'])(
    'E10: the model hears that %s was declined and why, and the run goes on',
    async (tool) => {
      const current = use();
      const { plinth, script, requestBody } = current;
      script({ toolCalls: [tool === 'order' ? job(tool) : form(tool)] }, { text: 'Then not.' });
      const ada = await plinth.session();
      await playTwice(current, async (beforeAnswer) => {
        const run = await ada.start('try it');
        const { id } = await ada.parkedOn(run.messageId, tool);
        await beforeAnswer(run);
        await ada.answer(id, decline);
        expect(await ada.ended(run.messageId)).toMatchObject({
          reason: 'final_answer',
          calls: [{ tool, status: 'declined' }],
        });
        const [result] = toolResults(requestBody(1));
        expect(JSON.parse(result?.content ?? '')).toMatchObject({ status: 'declined', reason: 'too dear' });
        expect(plinth.jobs.dispatches.filter(({ runId }) => runId === run.runId)).toEqual([]);
      });
    },
  );
});
