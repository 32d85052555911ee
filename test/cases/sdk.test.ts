import {
  createPlinth,
  emptyMessageView,
  foldEntries,
  type Plinth,
  selectAttachments,
  selectBranches,
} from '@plinth/client';
import { createRecordedPlinth, recordThread } from '@plinth/client/recording';
import { until } from '@plinth/testkit/system';
import { expect, it } from 'vitest';
import { onEveryTopology } from './support/on-plinth.js';
import { showThread, textOf } from './support/pages.js';
import { formTool } from './support/tools.js';

const LONG = 'Hello, 你好, and hello again. '.repeat(20).trim();
const agent = 'tester';

onEveryTopology(
  'the client on a real platform',
  () => [formTool('form')],
  (use) => {
    /** A page of this person. */
    async function page(endUser = 'ada'): Promise<{ plinth: Plinth; baseUrl: string; auth: () => string }> {
      const { url, credential } = await use().plinth.session(endUser);
      const access = { baseUrl: url, auth: () => credential };
      return { plinth: createPlinth(access), ...access };
    }

    it('S7: closing the tab does not stop the run: the next page shows the whole answer', async () => {
      const { plinth, script, requestCount } = use();
      script({ text: LONG });
      plinth.sim.setLatency({ firstTokenMs: 50, perChunkMs: 20 });
      const first = await page();
      const session = first.plinth.newThread();
      const leave = session.subscribe(() => undefined);
      const { threadId } = await session.send({ text: 'hello', agent });
      await until('some text is there', () => session.getSnapshot().cursors);
      leave();
      const { plinth: second } = await page();
      const shown = showThread(second, threadId);
      await shown.ended();
      expect(textOf(shown.views()[0])).toBe(LONG);
      expect(requestCount()).toBe(1);
      shown.leave();
    });

    it('S8: of two threads that stream at the same time, neither shows anything of the other', async () => {
      const { plinth, script } = use();
      script({ text: LONG }, { text: LONG });
      plinth.sim.setLatency({ firstTokenMs: 20, perChunkMs: 5 });
      const { plinth: client } = await page();
      const sent = await Promise.all(['one', 'two'].map((text) => client.newThread().send({ text, agent })));
      const threads = sent.map(({ threadId }) => showThread(client, threadId));
      for (const [index, { ended, session, leave }] of threads.entries()) {
        await ended();
        expect(session.getSnapshot().messages.map(({ id }) => id)).toEqual([
          sent[index]?.userMessageId,
          sent[index]?.messageId,
        ]);
        leave();
      }
    });

    it('branches: what one tab edits and answers once more, another tab follows, and both come back', async () => {
      const { sim } = use().plinth;
      const answers = ['first', 'second', 'third'];
      sim.setScenarios([
        { name: 'in turn', matches: () => true, reply: () => ({ text: answers.shift() ?? 'one too many' }) },
      ]);
      const [one, two] = [await page(), await page()];
      const { threadId, userMessageId } = await one.plinth.newThread().send({ text: 'hello', agent });
      const [here, there] = [showThread(one.plinth, threadId), showThread(two.plinth, threadId)];
      await here.ended();
      await here.session.edit(userMessageId, { text: 'hello again', agent });
      for (const { views } of [here, there])
        await until('the second answer', () => textOf(views()[0]) === 'second');
      await here.ended();
      await here.session.retry(here.views()[0]?.messageId ?? '');
      for (const { views } of [here, there])
        await until('the third answer', () => textOf(views()[0]) === 'third');
      await there.ended();
      const [question] = there.session.getSnapshot().messages;
      const { previousId } = selectBranches(there.session.getSnapshot(), question?.id ?? '') ?? {};
      expect(previousId).toBe(userMessageId);
      await there.session.showBranch(userMessageId);
      for (const { views } of [here, there])
        await until('the first answer again', () => textOf(views()[0]) === 'first');
      here.leave();
      there.leave();
    });

    it('a file that goes with a message is shown as the artifact that it became', async () => {
      use().script({ text: 'I see.' });
      const { plinth } = await page();
      const { threadId } = await plinth.newThread().send({ text: 'hello', agent });
      const { session, ended, leave } = showThread(plinth, threadId);
      await ended();
      const upload = await plinth.upload(new File(['# Tea'], 'tea.md', { type: 'text/markdown' }));
      await session.send({ text: 'read it', agent, attachments: [{ upload }] });
      const shown = await until('the artifact is told', () => {
        const message = session.getSnapshot().messages.findLast(({ role }) => role === 'user');
        const [attachment] = message ? selectAttachments(message) : [];
        return attachment?.artifactId ? attachment : null;
      });
      expect(shown).toMatchObject({ title: 'tea.md', kind: 'document' });
      expect(await (await plinth.artifactBytes(shown.artifactId ?? '')).text()).toBe('# Tea');
      leave();
    });

    it('a recorded thread, replayed, ends as the platform shows it', async () => {
      const { script } = use();
      script({ toolCalls: [{ name: 'form', arguments: { question: 'who?' } }] }, { text: LONG });
      const { plinth, baseUrl, auth } = await page();
      const ada = await use().plinth.session('ada');
      const run = await plinth.newThread().send({ text: 'hello', agent });
      const { id } = await ada.parkedOn(run.messageId, 'form');
      const half = await recordThread({ baseUrl, auth, threadId: run.threadId });
      expect(half.runs[0]?.entries.at(-1)?.type).toBe('run.interrupted');
      await ada.answer(id, { type: 'submit', value: { value: 'the world' } });
      await ada.ended(run.messageId);
      const whole = await recordThread({ baseUrl, auth, threadId: run.threadId });
      const entries = whole.runs[0]?.entries ?? [];
      const start = { view: emptyMessageView(run.messageId, run.runId), cursor: null };
      expect(foldEntries(start, entries).log.view).toEqual(await ada.message(run.messageId));

      const recorded = createRecordedPlinth(JSON.parse(JSON.stringify(whole)));
      const replayed = showThread(recorded.plinth, run.threadId);
      await recorded.play();
      await replayed.ended();
      expect(replayed.views()).toEqual([await ada.message(run.messageId)]);
      replayed.leave();
    });
  },
);
