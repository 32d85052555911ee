import { type PlinthUnderTest, until } from '@plinth/testkit/system';
import { expect, it } from 'vitest';
import { onEveryTopology } from './support/on-plinth.js';
import { playTwice } from './support/play-twice.js';
import { toolResults } from './support/results.js';
import { holderOf } from './support/run-holder.js';
import { formTool, jobTool } from './support/tools.js';

const form = (name: string) => ({ name, arguments: { question: 'how strong?' } });
const job = (name: string) => ({ name, arguments: { subject: 'tea' } });

const tools = (jobs: string) => [
  formTool('brief', { waitTimeoutSeconds: 1 }),
  formTool('patient'),
  jobTool('slow', jobs, { timeoutMs: 6000 }),
  jobTool('lookup', jobs, { idempotent: true, timeoutMs: 120_000 }),
  jobTool('charge', jobs, { timeoutMs: 120_000 }),
];

async function killAll({ servers }: PlinthUnderTest): Promise<void> {
  await Promise.all(servers.map((server) => server.stop('SIGKILL')));
}
const startAll = ({ servers }: PlinthUnderTest) => Promise.all(servers.map((server) => server.start()));

onEveryTopology('what outlives the processes', tools, (use) => {
  it('a wait whose time passes while no process runs has expired after the restart, and the model hears it', async () => {
    const current = use();
    const { plinth, script, requestBody } = current;
    script({ toolCalls: [form('brief'), form('patient')] }, { text: 'Done.' });
    const ada = await plinth.session();
    const play = async (beforeAnswer: (run: { runId: string; messageId: string }) => Promise<void>) => {
      const run = await ada.start('ask me');
      const brief = await until('both forms', async () =>
        (await ada.message(run.messageId)).interrupts.find((one) => one.tool === 'brief'),
      );
      await current.parked(run);
      await killAll(plinth);
      await until('the end of its time', () => Date.parse(brief.expiresAt ?? '') < Date.now());
      await startAll(plinth);

      const { interrupts } = await until('the expiry', async () => {
        const view = await ada.message(run.messageId);
        return view.interrupts.some(({ state }) => state === 'closed') && view.status === 'interrupted'
          ? view
          : null;
      });
      expect(interrupts).toMatchObject([
        { tool: 'brief', state: 'closed', closedWhy: 'expired' },
        { tool: 'patient', state: 'open' },
      ]);
      const late = { requestId: 'a-late-answer', answer: { type: 'submit', value: { value: 'x' } } };
      expect(await ada.raw('POST', `/v1/interrupts/${brief.id}/answer`, late)).toMatchObject({
        status: 409,
        body: { code: 'interrupt_closed', facts: { why: 'expired' } },
      });
      await beforeAnswer(run);
      await ada.answer(interrupts[1]?.id ?? '', { type: 'submit', value: { value: 'strong' } });
      expect((await ada.ended(run.messageId)).reason).toBe('final_answer');
      const [expired, given] = toolResults(requestBody(1));
      expect(JSON.parse(expired?.content ?? '')).toMatchObject({ status: 'expired' });
      expect(given).toEqual({ tool: 'patient', content: '{"value":"strong"}' });
    };
    await playTwice(current, play);
  });

  it('a wait whose time passes while another call still works is not lost when the run parks', async () => {
    const { plinth, script, requestBody } = use();
    plinth.jobs.react = async () => 'hold';
    script({ toolCalls: [form('brief'), job('slow')] }, { text: 'Done.' });
    const ada = await plinth.session();
    const run = await ada.start('ask me');
    expect(await ada.ended(run.messageId, 60_000)).toMatchObject({
      reason: 'final_answer',
      calls: [{ status: 'expired' }, { status: 'unknown', error: { code: 'timed_out' } }],
    });
    expect(toolResults(requestBody(1)).map(({ tool }) => tool)).toEqual(['brief', 'slow']);
  });

  it('E5: the run of a worker that was killed with two jobs on the way is taken over, and only the idempotent one is sent again', async () => {
    const { plinth, script, requestBody, adminUrl } = use();
    let held = true;
    plinth.jobs.react = async () => (held ? 'hold' : { status: 202 });
    script({ toolCalls: [job('charge'), job('lookup')] }, { text: 'Done.' });
    const ada = await plinth.session();
    const run = await ada.start('charge and look up');
    await plinth.jobs.dispatchOf(run.runId, 1);
    held = false;
    const holder = await holderOf(plinth, adminUrl, run.runId);
    await holder.stop('SIGKILL');
    const killed = performance.now();
    if (plinth.topology === 'single') await holder.start();

    const again = await plinth.jobs.dispatchOf(run.runId, 2, 60_000);
    const seconds = (performance.now() - killed) / 1000;
    console.log(
      `take-over (${plinth.topology}): ${seconds.toFixed(1)} s from SIGKILL to the repeated dispatch`,
    );
    expect(seconds).toBeLessThan(45);
    await plinth.jobs.finish(again);
    expect((await ada.ended(run.messageId)).reason).toBe('final_answer');
    if (plinth.topology === 'cluster') await holder.start();

    const sent = plinth.jobs.dispatches.filter(({ runId }) => runId === run.runId);
    const keysOf = (path: string) =>
      sent.filter((one) => one.path === path).map(({ idempotencyKey }) => idempotencyKey);
    expect(keysOf('/charge')).toHaveLength(1);
    expect(keysOf('/lookup')).toEqual([again.idempotencyKey, again.idempotencyKey]);
    const [charge, lookup] = toolResults(requestBody(1));
    expect(JSON.parse(charge?.content ?? '')).toMatchObject({
      status: 'unknown',
      error: { code: 'outcome_unknown' },
    });
    expect(lookup).toEqual({ tool: 'lookup', content: '{"result":{"done":true}}' });
  });
});
