import type { JsonObject } from '@plinth/protocol';
import { photo, picturesIn, prefixShare, startWith, textIn, uploadFile } from '@plinth/testkit/system';
import { expect, it } from 'vitest';
import { expectWholeUnits, playAgent } from './support/agent-requests.js';
import { onEveryTopology } from './support/on-plinth.js';
import { jobTool } from './support/tools.js';

const CALLS = 7;
const LONG_TURNS = 12;
const WINDOW_TOKENS = 24_000;
/** About 1,300 tokens, which go to the model whole: a list would be sampled before. */
const RESULT = { report: 'Delivered to the neighbour. '.repeat(250) };
const config: JsonObject = {
  model: { name: 'gpt-4o', maxOutputTokens: 1000 },
  context: { endpoint: { windowTokens: WINDOW_TOKENS } },
};

/** One message of about 60,000 tokens. */
const LONG_TEXT = Array.from({ length: 9000 }, (_, n) => `茶叶${n}号`).join('，');

onEveryTopology(
  'a small window',
  (jobs) => [jobTool('lookup', jobs, { result: { maxTokens: 5000 } })],
  (use) => {
    it('C2: whatever leaves, an answer and its seven results leave or stay together', async () => {
      const { plinth } = use();
      plinth.sim.setPersona('openai', { walls: { windowTokens: WINDOW_TOKENS } });
      plinth.jobs.react = async (dispatch) => {
        await plinth.jobs.finish(dispatch, { status: 'succeeded', result: RESULT });
        return { status: 202, body: { accepted: true } };
      };
      const calls = Array.from({ length: CALLS }, (_, n) => ({
        name: 'lookup',
        arguments: { subject: `tea ${n}` },
      }));
      const watched = playAgent(plinth.sim, [{ toolCalls: calls }, { text: 'All looked up.' }]);
      const ada = await plinth.session();
      let threadId: string | undefined;
      for (let turn = 0; turn < 5; turn += 1) {
        const run = await ada.start(`Look all seven up, turn ${turn}.`, threadId ? { threadId } : {});
        threadId = run.threadId;
        expect(await ada.ended(run.messageId, 60_000)).toMatchObject({ status: 'completed' });
      }
      const requests = watched.agent();
      expect(requests.map(({ status }) => status)).toEqual(Array<number>(10).fill(200));
      for (const request of requests) expectWholeUnits(request);
      const last = JSON.stringify(requests.at(-1)?.messages);
      expect(last).toContain('turn 4.');
      // It would not have fitted whole: something was cleared, or has left.
      expect(requests.at(-1)?.sizeBytes).toBeLessThan(5 * CALLS * JSON.stringify(RESULT).length);
    });

    it('C3: it ends as unfit, with sizes, before the model is asked; the next message is answered', async () => {
      const { plinth } = use();
      const watched = playAgent(plinth.sim, [{ text: 'Hello.' }]);
      const ada = await plinth.session();
      const run = await ada.start(LONG_TEXT);
      expect(await ada.ended(run.messageId, 60_000)).toMatchObject({
        status: 'failed',
        error: { code: 'context_unfit', message: expect.stringMatching(/[\d,]+ tokens/) },
      });
      expect(await ada.run(run.runId)).toMatchObject({ reason: 'context_unfit' });
      expect(watched.agent()).toEqual([]);

      const next = await ada.start('Hello?', { threadId: run.threadId });
      expect(await ada.ended(next.messageId, 60_000)).toMatchObject({ status: 'completed' });
      expect(watched.agent().map(({ status }) => status)).toEqual([200]);
    });

    it('C1: what leaves is summarised without any picture, a few times only, and the next turn is answered', async () => {
      const { plinth } = use();
      plinth.sim.setPersona('openai', { walls: { windowTokens: WINDOW_TOKENS } });
      const watched = playAgent(plinth.sim, [{ text: 'A long answer. '.repeat(100) }]);
      const ada = await plinth.session();
      let threadId: string | undefined;
      for (let turn = 0; turn < LONG_TURNS; turn += 1) {
        const { id: uploadId } = await uploadFile(ada, photo(500_000, turn), `photo-${turn}.png`);
        const text = `Turn ${turn}. ${'It is about tea. '.repeat(450)}`;
        const run = await startWith(ada, text, [{ uploadId }], threadId);
        threadId = run.threadId;
        expect(await ada.ended(run.messageId, 60_000)).toMatchObject({ status: 'completed' });
      }
      const summaries = watched.summaries();
      expect(summaries.length).toBeGreaterThan(0);
      for (const summary of summaries) {
        expect(summary.status).toBe(200);
        expect(picturesIn(summary)).toEqual([]);
        expect(summary.messages.every(({ content }) => typeof content === 'string')).toBe(true);
      }
      expect(summaries[0]?.messages.map(textIn).join()).toContain('photo-0.png');
      const requests = watched.agent();
      expect(requests.map(({ status }) => status)).toEqual(Array<number>(LONG_TURNS).fill(200));
      // What has left stays out, and there is room for a while: between two summaries nothing changes what was sent before.
      const changed = requests
        .slice(1)
        .filter((request, index) => prefixShare(requests[index] ?? request, request) < 0.95);
      expect(changed).toHaveLength(summaries.length);
      expect(summaries.length).toBeLessThanOrEqual(LONG_TURNS / 4);
      const last = requests.at(-1);
      expect(last && picturesIn(last).length).toBeGreaterThan(0);
      expect(last?.messages.map(textIn).join()).toContain('Summary by the simulator');
    });
  },
  { config },
);
