import { parseRequest, photo, picturesIn, until } from '@plinth/testkit/system';
import type { Page } from 'playwright-core';
import { afterEach, expect, it } from 'vitest';
import { look } from '../../e2e/support/look.js';
import { type OpenPage, withPeer } from './with-peer.js';

const TEST_MS = 240_000;
const STEP_MS = 60_000;
/** Between two words: long enough for the page to be looked at between them. */
const SLOW_MS = 400;

/** How a person uses the client. */
export interface Client {
  /** A folder in `test/peers`. */
  name: string;
  say(page: Page, text: string): Promise<void>;
  /** Puts a file to the message that is being written. */
  attach(page: Page, file: { name: string; mimeType: string; buffer: Buffer }): Promise<void>;
}

/** What the model was sent. */
interface Told {
  messages: { role: string; content?: string }[];
}

const shown = (page: Page, text: string | RegExp) =>
  page.getByText(text, { exact: true }).waitFor({ timeout: STEP_MS });
const press = (page: Page, name: string) =>
  page.getByRole('button', { name, exact: true }).click({ timeout: STEP_MS });

/** What a client that is not ours can do on Plinth, in its page in a real browser. */
export function clientRules({ name, say, attach }: Client): void {
  const peer = withPeer(name);
  const call = (tool: string, args: Record<string, string | number>) => ({ name: tool, arguments: args });
  const toldOf = () => (peer().plinth.sim.requests.at(-1)?.parsed as Told | undefined)?.messages ?? [];
  const resultTold = () => toldOf().findLast(({ role }) => role === 'tool')?.content ?? '';
  const end = async ({ page, complaints }: OpenPage) => {
    await look(page, `${name} ${expect.getState().currentTestName?.split(': ').at(-1)}`);
    expect(complaints).toEqual([]);
    await page.close();
  };

  afterEach(() => peer().plinth.sim.setLatency({ firstTokenMs: 0, perChunkMs: 0 }));

  it(
    `${name}: an answer is shown while it is written`,
    async () => {
      peer().script({ text: 'one two three four five six seven' });
      peer().plinth.sim.setLatency({ firstTokenMs: 0, perChunkMs: SLOW_MS });
      const open = await peer().open();
      await say(open.page, 'count');
      await shown(open.page, /^one two/);
      expect(await open.page.getByText(/seven/).count()).toBe(0);
      await shown(open.page, 'one two three four five six seven');
      await end(open);
    },
    TEST_MS,
  );

  it(
    `${name}: a frontend tool runs in the page, and its result resumes the run`,
    async () => {
      peer().script({ toolCalls: [call('read', { what: 'title' })] }, { text: 'I have read it.' });
      const open = await peer().open();
      await say(open.page, 'read');
      await shown(open.page, 'I have read it.');
      expect(resultTold()).toContain(await open.page.title());
      peer().script({ text: 'You are welcome.' });
      await say(open.page, 'thanks');
      await shown(open.page, 'You are welcome.');
      await end(open);
    },
    TEST_MS,
  );

  it(
    `${name}: what the person approves runs, once, with what was shown`,
    async () => {
      peer().script({ toolCalls: [call('pay', { amount: 45 })] }, { text: 'It is paid.' });
      const open = await peer().open();
      await say(open.page, 'pay');
      await press(open.page, 'Approve');
      const dispatch = await until('the dispatch', () =>
        peer().plinth.jobs.dispatches.find(({ arguments: args }) => args.amount === 45),
      );
      await peer().plinth.jobs.finish(dispatch);
      await shown(open.page, 'It is paid.');
      expect(peer().plinth.jobs.dispatches.filter(({ arguments: args }) => args.amount === 45)).toHaveLength(
        1,
      );
      await end(open);
    },
    TEST_MS,
  );

  it(
    `${name}: what the person declines does not run, and the model hears why`,
    async () => {
      peer().script({ toolCalls: [call('pay', { amount: 46 })] }, { text: 'Then not.' });
      const open = await peer().open();
      await say(open.page, 'pay');
      await press(open.page, 'Decline');
      await shown(open.page, 'Then not.');
      expect(resultTold()).toContain('too much');
      expect(peer().plinth.jobs.dispatches.filter(({ arguments: args }) => args.amount === 46)).toEqual([]);
      await end(open);
    },
    TEST_MS,
  );

  it(
    `${name}: the page draws a component's question, and its answer resumes the run`,
    async () => {
      peer().script({ toolCalls: [call('ask', { question: 'Why green?' })] }, { text: 'Thanks.' });
      const open = await peer().open();
      await say(open.page, 'ask me');
      await shown(open.page, 'Why green?');
      await press(open.page, 'Because');
      await shown(open.page, 'Thanks.');
      expect(resultTold()).toContain('Because.');
      await end(open);
    },
    TEST_MS,
  );

  it(
    `${name}: a page that is opened again has the thread, and can still approve`,
    async () => {
      peer().script(
        { text: 'Let me pay.', toolCalls: [call('pay', { amount: 47 })] },
        { text: 'It is paid now.' },
      );
      const first = await peer().open();
      await say(first.page, 'please pay');
      await first.page.getByRole('button', { name: 'Approve' }).waitFor({ timeout: STEP_MS });
      await end(first);
      const open = await peer().open(first.thread);
      await shown(open.page, 'please pay');
      await shown(open.page, 'Let me pay.');
      await press(open.page, 'Approve');
      const dispatch = await until('the dispatch', () =>
        peer().plinth.jobs.dispatches.find(({ arguments: args }) => args.amount === 47),
      );
      await peer().plinth.jobs.finish(dispatch);
      await shown(open.page, 'It is paid now.');
      expect(await open.page.getByText('Let me pay.').count()).toBe(1);
      await end(open);
    },
    TEST_MS,
  );

  it(
    `${name}: a picture that the person attaches is in what the model gets, and in the page that is opened again`,
    async () => {
      peer().script({ text: 'A nice picture.' });
      const first = await peer().open();
      await attach(first.page, { name: 'tea.png', mimeType: 'image/png', buffer: photo(30_000, 1) });
      await say(first.page, 'look at this');
      await shown(first.page, 'A nice picture.');
      expect(picturesIn(parseRequest(peer().plinth.sim.requests.at(-1)?.raw ?? '{}'))).toHaveLength(1);
      await end(first);
      const open = await peer().open(first.thread);
      await shown(open.page, 'look at this');
      const picture = open.page.locator('img[src*="/v1/artifacts/"]');
      await picture.waitFor({ timeout: STEP_MS });
      await until('the picture', () =>
        picture.evaluate((image) => (image as HTMLImageElement).naturalWidth > 0 || null),
      );
      await end(open);
    },
    TEST_MS,
  );
}
