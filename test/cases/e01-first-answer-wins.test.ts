import type { Answer } from '@plinth/protocol';
import { expect, it } from 'vitest';
import { onEveryTopology } from './support/on-plinth.js';
import { jobTool } from './support/tools.js';

const approve: Answer = { type: 'approve' };
const decline: Answer = { type: 'decline', reason: 'too dear' };

onEveryTopology(
  'E1: two answers to one interrupt',
  (jobs) => [jobTool('order', jobs, { requireConfirmation: 'always' })],
  (use) => {
    it('of two different answers at the same instant exactly one is accepted, and the other is told who won', async () => {
      const { plinth, script, requestBody } = use();
      script({ toolCalls: [{ name: 'order', arguments: { subject: 'tea' } }] }, { text: 'Done.' });
      const [first, second] = await Promise.all([
        plinth.session('ada', plinth.apis[0]?.url),
        plinth.session('ada', plinth.apis.at(-1)?.url),
      ]);
      const run = await first.start('order tea');
      const { id } = await first.parkedOn(run.messageId, 'order');

      const answers = [approve, decline];
      const bodies = answers.map((answer, index) => ({ requestId: `request-${run.runId}-${index}`, answer }));
      const results = await Promise.all([
        first.raw('POST', `/v1/interrupts/${id}/answer`, bodies[0]),
        second.raw('POST', `/v1/interrupts/${id}/answer`, bodies[1]),
      ]);
      expect(results.map(({ status }) => status).sort()).toEqual([200, 409]);
      const won = results.findIndex(({ status }) => status === 200);
      expect(results[1 - won]?.body).toMatchObject({
        code: 'interrupt_already_answered',
        facts: { by: { kind: 'end_user', id: 'ada' }, answeredAt: expect.any(String) },
      });

      if (won === 0) await plinth.jobs.finish(await plinth.jobs.dispatchOf(run.runId));
      await first.ended(run.messageId);
      expect(plinth.jobs.dispatches.filter(({ runId }) => runId === run.runId)).toHaveLength(
        won === 0 ? 1 : 0,
      );
      const results2 = requestBody(1).messages.filter(({ role }) => role === 'tool');
      expect(results2).toHaveLength(1);
      expect(results2[0]?.content).toContain(won === 0 ? '"done":true' : 'too dear');

      const again = await second.raw('POST', `/v1/interrupts/${id}/answer`, bodies[won]);
      expect(again).toEqual(results[won]);
    });
  },
);
