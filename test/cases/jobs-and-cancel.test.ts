import { expect, it } from 'vitest';
import { onEveryTopology } from './support/on-plinth.js';
import { playTwice } from './support/play-twice.js';
import { loggedTypes } from './support/redis-state.js';
import { toolResults } from './support/results.js';
import { formTool, jobTool } from './support/tools.js';

const job = (name: string) => ({ name, arguments: { subject: 'tea' } });
const RESULT = { status: 'succeeded', result: 'brewed' } as const;

const tools = (jobs: string) => [
  jobTool('brew', jobs),
  jobTool('hurried', jobs, { timeoutMs: 1000 }),
  jobTool('slow', jobs, { timeoutMs: 60_000 }),
  formTool('form'),
];

/** A lease that is renewed seldom: what a worker is told at once does not come by way of a renewal. */
const environment = { PLINTH_LEASE_MS: '60000' };

onEveryTopology(
  'jobs that are quick, and a cancel in the middle of one',
  tools,
  (use) => {
    it.each([
      ['accepted', 'brew', { status: 202 }],
      ['answered with an error', 'brew', { status: 503 }],
      ['never answered', 'hurried', 'hold'],
    ] as const)(
      'E6: a callback is kept, and used, when its dispatch is only then %s',
      async (_then, tool, answer) => {
        const { plinth, script, requestBody } = use();
        const callbacks: { status: number }[] = [];
        plinth.jobs.react = async (dispatch) => {
          callbacks.push(await plinth.jobs.finish(dispatch, RESULT));
          return answer;
        };
        script({ toolCalls: [job(tool)] }, { text: 'Done.' });
        const ada = await plinth.session();
        const run = await ada.start('brew it');
        expect(await ada.ended(run.messageId, 60_000)).toMatchObject({
          reason: 'final_answer',
          calls: [{ status: 'succeeded' }],
          interrupts: [{ state: 'answered' }],
        });
        expect(callbacks).toMatchObject([{ status: 200 }]);
        expect(toolResults(requestBody(1))).toEqual([{ tool, content: '{"result":"brewed"}' }]);
        expect(plinth.jobs.dispatches.filter(({ runId }) => runId === run.runId)).toHaveLength(1);
      },
    );

    it('E6: an early callback is kept while the run parks for something else', async () => {
      const current = use();
      const { plinth, script, requestBody } = current;
      plinth.jobs.react = async (dispatch) => {
        await plinth.jobs.finish(dispatch, RESULT);
        return { status: 202 };
      };
      script(
        { toolCalls: [job('brew'), { name: 'form', arguments: { question: 'how strong?' } }] },
        { text: 'Done.' },
      );
      const ada = await plinth.session();
      await playTwice(current, async (beforeAnswer) => {
        const run = await ada.start('brew it');
        const { id } = await ada.parkedOn(run.messageId, 'form');
        await beforeAnswer(run);
        await ada.answer(id, { type: 'submit', value: { value: 'strong' } });
        await ada.ended(run.messageId);
        expect(toolResults(requestBody(1))).toEqual([
          { tool: 'brew', content: '{"result":"brewed"}' },
          { tool: 'form', content: '{"value":"strong"}' },
        ]);
      });
    });

    it('E11: a cancel aborts the call under way at once, closes the form, and is the one end', async () => {
      const { plinth, script, requestBody } = use();
      plinth.jobs.react = async () => 'hold';
      script(
        { toolCalls: [job('slow'), { name: 'form', arguments: { question: 'how strong?' } }] },
        { text: 'Done.' },
      );
      const ada = await plinth.session();
      const run = await ada.start('brew it');
      const dispatch = await plinth.jobs.dispatchOf(run.runId);
      expect((await ada.message(run.messageId)).interrupts).toMatchObject([
        { state: 'open' },
        { state: 'open' },
      ]);

      const asked = performance.now();
      await (await plinth.session()).call('POST', `/v1/runs/${run.runId}/cancel`);
      await dispatch.aborted;
      const abortMs = performance.now() - asked;
      console.log(
        `E11 (${plinth.topology}): from the cancel to the abort at the job service ${abortMs.toFixed(0)} ms`,
      );
      expect(abortMs).toBeLessThan(3000);

      expect(await ada.ended(run.messageId)).toMatchObject({
        status: 'cancelled',
        reason: 'cancelled',
        // The service had the request in its hands: nobody knows what it has done with it.
        calls: [{ status: 'unknown' }, { status: 'cancelled' }],
        interrupts: [
          { state: 'closed', closedWhy: 'cancelled' },
          { state: 'closed', closedWhy: 'cancelled' },
        ],
      });
      const types = (await ada.stream(run.messageId)).map(({ type }) => type);
      expect(types.filter((type) => type === 'run.finished')).toEqual(['run.finished']);
      expect(types.at(-1)).toBe('run.finished');
      expect(await loggedTypes(use().redis, run.messageId)).toEqual(types);

      script({ text: 'Of course.' });
      const next = await ada.start('something else', { threadId: run.threadId });
      expect((await ada.ended(next.messageId)).reason).toBe('final_answer');
      expect(toolResults(requestBody(0)).map(({ tool }) => tool)).toEqual(['slow', 'form']);
    });
  },
  { environment },
);
