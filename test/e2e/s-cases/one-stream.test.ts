import type { Scenario } from '@plinth/model-sim';
import type { JsonObject } from '@plinth/protocol';
import { until } from '@plinth/testkit/system';
import type { Page, Request } from 'playwright-core';
import { expect, it } from 'vitest';
import { onHostPage } from '../support/on-host-page.js';

const yesNo = (key: string): JsonObject => ({
  key,
  title: `Form ${key}`,
  description: 'Asks yes or no.',
  parameters: { type: 'object' },
  executor: {
    kind: 'component',
    component: 'YesNo',
    submit: { type: 'object', properties: { yes: { type: 'boolean' } }, required: ['yes'] },
  },
});
const tools = () => [yesNo('alpha_form'), yesNo('beta_form')];

const TOKEN_SECONDS = 30;
const LONG = Array.from({ length: 45 }, (_, index) => `Sentence ${index + 1} stands here.`).join(' ');
const answerOf = (page: Page) => page.locator('.plinth-message--assistant .plinth-markdown').last();

/** What the browser asked for, by the paths that hold this text. */
function watch(page: Page, part: string): { path: string; request: Request }[] {
  const seen: { path: string; request: Request }[] = [];
  page.on('request', (request) => {
    const { pathname } = new URL(request.url());
    if (pathname.includes(part)) seen.push({ path: `${request.method()} ${pathname}`, request });
  });
  return seen;
}

onHostPage('components of a page that share a thread', tools, (use, topology) => {
  it('S5: three components under StrictMode have one event stream a message, and three clicks give one answer', async () => {
    const { person, script, requests } = use();
    script({ toolCalls: [{ name: 'alpha_form', arguments: {} }] }, { text: LONG });
    const ada = await person();
    const { threadId, messageId } = await ada.api.start('hello');
    await ada.api.parkedOn(messageId, 'alpha_form');
    const page = await ada.tab('');
    const streams = watch(page, '/events');
    const answers = watch(page, '/answer');
    await page.goto(`${page.url()}${threadId}`);
    const buttons = page.getByRole('button', { name: 'Yes to alpha_form' });
    await expect.poll(() => buttons.count()).toBe(3);
    await page.evaluate(() => {
      for (const button of document.querySelectorAll<HTMLButtonElement>('main button'))
        if (button.textContent === 'Yes to alpha_form') button.click();
    });
    await page.getByRole('button', { name: 'Answer again' }).waitFor();
    expect(await answerOf(page).textContent()).toBe(LONG);
    expect(streams.map(({ path }) => path).sort()).toEqual([
      `GET /v1/messages/${messageId}/events`,
      `GET /v1/threads/${threadId}/events`,
    ]);
    expect(answers).toHaveLength(1);
    expect(requests()).toHaveLength(2);
  });

  it('S8: of two threads that stream while the person switches between them, neither ever shows anything of the other', async () => {
    const { plinth, person } = use();
    plinth.sim.setScenarios([telling('alpha'), telling('beta')]);
    plinth.sim.setLatency({ firstTokenMs: 50, perChunkMs: 15 });
    const ada = await person();
    const [alpha, beta] = await Promise.all(
      ['tell me of alpha', 'tell me of beta'].map((text) => ada.api.start(text)),
    );
    const page = await ada.tab(alpha?.threadId ?? '', beta?.threadId ?? '');
    await watchWords(page);
    const form = (name: string) => page.locator('main').getByRole('button', { name: `Yes to ${name}_form` });
    const switches = { alpha: 0, beta: 0 };
    // Until both wait for their person, as the platform says.
    const areParked = async () => {
      const views = await Promise.all([alpha, beta].map((one) => ada.api.message(one?.messageId ?? '')));
      return views.every(({ status }) => status === 'interrupted');
    };
    await until(
      'both have told it all',
      async () => {
        for (const [name, button] of [
          ['beta', 'Thread 2'],
          ['alpha', 'Thread 1'],
        ] as const) {
          await page.getByRole('button', { name: button }).click();
          switches[name] += 1;
        }
        return areParked();
      },
      60_000,
    );
    await expect.poll(() => form('alpha').count()).toBe(3);
    expect(await form('beta').count()).toBe(0);
    await page.getByRole('button', { name: 'Thread 2' }).click();
    await expect.poll(() => form('beta').count()).toBe(3);
    expect(await form('alpha').count()).toBe(0);
    expect(switches.alpha).toBeGreaterThan(5);
    const { wrong, looks } = await wordsSeen(page);
    expect(wrong).toEqual([]);
    expect(looks.alpha).toBeGreaterThan(10);
    expect(looks.beta).toBeGreaterThan(10);
  });

  // Half a minute of waiting, once: where a stream goes on at another process than it began at.
  it.runIf(topology === 'cluster')(
    'S10: a token that ends in the middle of an answer is renewed once, and the answer goes on without a gap or a double',
    async () => {
      const { plinth, person, script } = use();
      script({ text: 'Hello.' });
      const ada = await person(TOKEN_SECONDS);
      const { threadId, messageId } = await ada.api.start('hello');
      await ada.api.ended(messageId);
      const page = await ada.tab(threadId);
      const streams = watch(page, '/events');
      await page.getByRole('article').getByText('Hello.', { exact: true }).waitFor();
      plinth.sim.setLatency({ firstTokenMs: 0, perChunkMs: 150 });
      script({ text: LONG });
      await watchAnswer(page);
      const run = await ada.api.start('go on', { threadId });
      await ada.api.ended(run.messageId, 120_000);
      await expect.poll(() => answerOf(page).textContent()).toBe(LONG);
      const texts = await answersSeen(page);
      expect(texts.length).toBeGreaterThan(20);
      for (const [index, text] of texts.entries()) {
        expect(LONG.startsWith(text)).toBe(true);
        expect(text.length).toBeGreaterThan(texts[index - 1]?.length ?? -1);
      }
      expect(ada.tokens.map(({ refresh }) => refresh)).toEqual([false, true]);
      const ofAnswer = streams.filter(({ path }) => path === `GET /v1/messages/${run.messageId}/events`);
      const answers = await Promise.all(ofAnswer.map(({ request }) => request.response()));
      expect(answers.map((one) => one?.status()).filter((status) => status === 200)).toHaveLength(2);
      expect(ofAnswer.at(-1)?.request.headers()['last-event-id']).toMatch(/^\d+-\d+$/);
    },
  );
});

/** Says its word for a while, and then shows the form of that name. */
const telling = (word: 'alpha' | 'beta'): Scenario => ({
  name: word,
  matches: ({ messages }) => JSON.stringify(messages.findLast(({ role }) => role === 'user')).includes(word),
  reply: () => ({
    text: Array.from({ length: 120 }, (_, index) => `${word} ${index}`).join(', '),
    toolCalls: [{ name: `${word}_form`, arguments: {} }],
  }),
});

/** Looks at every state of the document, as a person does who looks all the time. */
const watchWords = (page: Page) =>
  page.evaluate(() => {
    const seen = { wrong: [] as string[], looks: { alpha: 0, beta: 0 } };
    Object.assign(window, { wordsSeen: seen });
    const look = () => {
      const main = document.querySelector('main');
      const [own, other] =
        main?.dataset.thread === '1' ? (['alpha', 'beta'] as const) : (['beta', 'alpha'] as const);
      const text = main?.textContent ?? '';
      if (text.includes(other)) seen.wrong.push(`${other} in the thread of ${own}: ${text.slice(0, 200)}`);
      else if (text.includes(`${own} 0`)) seen.looks[own] += 1;
    };
    new MutationObserver(look).observe(document.body, {
      subtree: true,
      childList: true,
      characterData: true,
      attributes: true,
    });
  });
const wordsSeen = (page: Page) =>
  page.evaluate(
    () =>
      (window as unknown as { wordsSeen: { wrong: string[]; looks: { alpha: number; beta: number } } })
        .wordsSeen,
  );

/** Keeps every text that the second answer shows on its way. */
const watchAnswer = (page: Page) =>
  page.evaluate(() => {
    const seen: string[] = [];
    Object.assign(window, { answersSeen: seen });
    const look = () => {
      const [, answer] = document.querySelectorAll('.plinth-message--assistant .plinth-markdown');
      const text = answer?.textContent ?? '';
      if (text !== '' && text !== seen.at(-1)) seen.push(text);
    };
    new MutationObserver(look).observe(document.body, {
      subtree: true,
      childList: true,
      characterData: true,
    });
  });
const answersSeen = (page: Page) =>
  page.evaluate(() => (window as unknown as { answersSeen: string[] }).answersSeen);
