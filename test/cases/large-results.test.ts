import type { JsonObject } from '@plinth/protocol';
import { expect, it } from 'vitest';
import { onEveryTopology } from './support/on-plinth.js';
import { playTwice } from './support/play-twice.js';
import { toolResults } from './support/results.js';
import { formTool, jobTool } from './support/tools.js';

const getArtifact: JsonObject = { key: 'get_artifact', executor: { kind: 'builtin', name: 'get_artifact' } };
const tools = (jobs: string) => [jobTool('lookup', jobs), formTool('first'), getArtifact];
/** About 300,000 tokens. */
const ORDERS = {
  total: 12_000,
  orders: Array.from({ length: 12_000 }, (_, id) => ({
    id,
    note: 'Delivered to the neighbour on the second floor.',
  })),
};

/** As many in one text, which no sampling of lists makes shorter. */
const REPORT = 'Delivered to the neighbour on the second floor, who was not amused. '.repeat(21_500);

/** Of a text, as `get_artifact` gives it. */
interface Page {
  text: string;
  from: number;
  to: number;
  of: number;
}

onEveryTopology('results that are too large for the model', tools, (use) => {
  it('C3: of a result of 300,000 tokens the model reads a summary with a pointer, and pages through it', async () => {
    const current = use();
    const { plinth, script, requestBody } = current;
    const ada = await plinth.session();
    await playTwice(
      current,
      async (beforeAnswer) => {
        script(
          {
            toolCalls: [
              { name: 'lookup', arguments: { subject: 'tea' } },
              { name: 'first', arguments: { question: '?' } },
            ],
          },
          { text: 'Done.' },
        );
        const run = await ada.start('look it up');
        const { id: formId } = await ada.parkedOn(run.messageId, 'first');
        await beforeAnswer(run);
        await plinth.jobs.finish(await plinth.jobs.dispatchOf(run.runId), {
          status: 'succeeded',
          result: ORDERS,
        });
        await beforeAnswer(run);
        await ada.answer(formId, { type: 'submit', value: { value: 'x' } });
        const { artifacts, calls } = await ada.ended(run.messageId);
        expect(artifacts).toMatchObject([{ kind: 'code', mimeType: 'application/json', open: 'silent' }]);
        const id = artifacts[0]?.id ?? '';
        expect(calls[0]?.artifactIds).toEqual([id]);
        const [read] = toolResults(requestBody(1));
        expect(read?.content?.length).toBeLessThan(10_000);
        expect(JSON.parse(read?.content ?? '')).toMatchObject({
          about: `This is a summary; the full result is artifact ${id}, read it with \`get_artifact\`.`,
          result: {
            total: 12_000,
            orders: expect.arrayContaining([expect.stringContaining('of 12000 items shown')]),
          },
        });

        const range = { from: 11_000, to: 11_003 };
        script(
          { toolCalls: [{ name: 'get_artifact', arguments: { id, query: '/orders', range } }] },
          { text: 'Read.' },
        );
        const next = await ada.start('and order 11000?', { threadId: run.threadId });
        await ada.ended(next.messageId);
        const last = toolResults(requestBody(1)).at(-1)?.content ?? '';
        expect(JSON.parse(last)).toMatchObject({
          result: { items: ORDERS.orders.slice(11_000, 11_003), of: 12_000 },
        });
      },
      { same: (body) => body.replaceAll(/(art|call)_\w+/g, '$1') },
    );
  });

  it('C3: of a text of 300,000 tokens the model reads the beginning with a pointer, and pages through the rest', async () => {
    const { plinth, script, requestBody, requestCount } = use();
    const ada = await plinth.session();
    plinth.jobs.react = async (dispatch) => {
      await plinth.jobs.finish(dispatch, { status: 'succeeded', result: REPORT });
      return { status: 202, body: { accepted: true } };
    };
    script({ toolCalls: [{ name: 'lookup', arguments: { subject: 'tea' } }] }, { text: 'Done.' });
    const run = await ada.start('look it up');
    const { artifacts } = await ada.ended(run.messageId);
    const id = artifacts[0]?.id ?? '';
    const [read] = toolResults(requestBody(1));
    expect(read?.content?.length).toBeLessThan(10_000);
    expect(JSON.parse(read?.content ?? '')).toMatchObject({
      about: `This is a summary; the full result is artifact ${id}, read it with \`get_artifact\`.`,
      result: expect.stringMatching(/^Delivered .* of 1462000 characters shown\)$/),
    });

    const pages = [1, 2, 180];
    script(...pages.map((page) => ({ toolCalls: [{ name: 'get_artifact', arguments: { id, page } }] })), {
      text: 'Read.',
    });
    const next = await ada.start('and the rest?', { threadId: run.threadId });
    expect(await ada.ended(next.messageId)).toMatchObject({ status: 'completed' });
    const parts = toolResults(requestBody(requestCount() - 1))
      .slice(-pages.length)
      .map(({ content = '' }) => (JSON.parse(content) as { result: Page }).result);
    for (const [index, { text, from, to, of }] of parts.entries()) {
      expect(of).toBe(REPORT.length);
      expect(text).toBe(REPORT.slice(from, to));
      expect(text.length).toBeLessThan(10_000);
      expect(from).toBe((index < 2 ? index : 179) * (parts[1]?.from ?? 0));
    }
  });
});
