import { createPlinth, type Plinth, type PlinthOptions, selectOpenInterrupts } from '@plinth/client';
import type { SessionTokenResponse } from '@plinth/protocol';
import { freePort, type PassedRequest, startRoundRobin, until } from '@plinth/testkit/system';
import { expect, it, onTestFinished } from 'vitest';
import { onEveryTopology } from './support/on-plinth.js';
import { showThread, textOf } from './support/pages.js';
import { formTool } from './support/tools.js';

const agent = 'tester';
const LONG = 'Hello, 你好, and hello again. '.repeat(20).trim();
/** The shortest life that a token may have. */
const TOKEN_SECONDS = 30;

onEveryTopology(
  'the streams of the client',
  () => [formTool('form')],
  (use, topology) => {
    /** A page that reaches the platform through a proxy of its own, and what went through that. */
    async function watchedPage(
      auth: PlinthOptions['auth'],
    ): Promise<{ plinth: Plinth; passed: PassedRequest[] }> {
      const passed: PassedRequest[] = [];
      const proxy = await startRoundRobin(await freePort(), [use().plinth.url], (one) => passed.push(one));
      onTestFinished(() => proxy.close());
      return { plinth: createPlinth({ baseUrl: proxy.url, auth }), passed };
    }

    it('S5: three components that show one thread, mounted twice, share its streams and give one answer', async () => {
      const { script, requestCount, plinth: platform } = use();
      script({ toolCalls: [{ name: 'form', arguments: { question: 'who?' } }] }, { text: LONG });
      const { credential } = await platform.session();
      const { plinth, passed } = await watchedPage(() => credential);
      const { threadId, messageId } = await plinth.newThread().send({ text: 'hello', agent });
      const components = [1, 2, 3].map(() => {
        // As StrictMode mounts it: on, off, and on again.
        plinth.thread(threadId).subscribe(() => undefined)();
        return showThread(plinth, threadId);
      });
      const [form] = await until('the form is open', () => {
        const open = components.map(({ session }) => selectOpenInterrupts(session.getSnapshot())[0]);
        return open.every((one) => one !== undefined) ? open : null;
      });
      const answer = { type: 'submit', value: { value: 'the world' } } as const;
      await Promise.all(components.map(({ session }) => session.answer(form?.id ?? '', answer)));
      for (const { ended, views, leave } of components) {
        await ended();
        expect(textOf(views()[0])).toBe(LONG);
        leave();
      }
      const streams = passed.filter(({ path }) => /\/events(\?|$)/.test(path));
      expect(streams.map(({ path }) => path.replace(/\?.*/, '')).sort()).toEqual([
        `/v1/messages/${messageId}/events`,
        `/v1/threads/${threadId}/events`,
      ]);
      expect(
        passed.filter(({ method, path }) => method === 'POST' && path.includes('/interrupts/')),
      ).toHaveLength(1);
      expect(requestCount()).toBe(2);
    });

    // Half a minute of waiting, once: where a stream goes on at another process than it began at.
    it.runIf(topology === 'cluster')(
      'S10: a token that ends in the middle of the streams is renewed once, and they go on without a gap or a double',
      async () => {
        const { script, plinth: platform } = use();
        script({ text: LONG });
        platform.sim.setLatency({ firstTokenMs: 0, perChunkMs: 350 });
        const asked: { refresh: boolean; text: string }[] = [];
        let shown: ReturnType<typeof showThread> | null = null;
        const text = () => textOf(shown?.views()[0]);
        const { plinth, passed } = await watchedPage(async ({ refresh }) => {
          asked.push({ refresh, text: text() });
          const life = { endUserId: 'ada', ttlSeconds: refresh ? 600 : TOKEN_SECONDS };
          return (await platform.backend.call<SessionTokenResponse>('POST', '/v1/session-tokens', life))
            .token;
        });
        const { threadId, messageId } = await plinth.newThread().send({ text: 'hello', agent });
        shown = showThread(plinth, threadId);
        const texts: string[] = [];
        const unhear = shown.session.subscribe(() => texts.push(text()));
        await shown.ended();
        unhear();
        shown.leave();

        expect(text()).toBe(LONG);
        for (const [index, one] of texts.entries()) {
          expect(LONG.startsWith(one)).toBe(true);
          expect(one.length).toBeGreaterThanOrEqual(texts[index - 1]?.length ?? 0);
        }
        expect(asked.map(({ refresh }) => refresh)).toEqual([false, true]);
        const before = asked[1]?.text ?? '';
        expect(before.length).toBeGreaterThan(0);
        expect(before.length).toBeLessThan(LONG.length);
        for (const path of [`/v1/messages/${messageId}/events`, `/v1/threads/${threadId}/events`]) {
          const statuses = passed.filter((one) => one.path.startsWith(path)).map(({ status }) => status);
          expect(statuses.filter((status) => status === 200)).toHaveLength(2);
        }
        expect(passed.some(({ status }) => status === 401)).toBe(true);
      },
    );
  },
);
