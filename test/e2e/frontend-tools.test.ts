import { scripted } from '@plinth/model-sim';
import type { JsonObject, SessionTokenResponse, StartRunResponse } from '@plinth/protocol';
import { ApiClient, until } from '@plinth/testkit/system';
import type { BrowserContext, Page } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';
import { hostPage, stored } from './support/frontend-page.js';
import { withStudio } from './support/with-studio.js';

const inStudio = withStudio();
const tool = (key: string, more: JsonObject): JsonObject => ({
  key,
  title: 'Edit',
  description: 'Edits a file in the page of the user.',
  parameters: { type: 'object' },
  executor: { kind: 'frontend', handler: 'editor', leaseSeconds: 2, claimTimeoutSeconds: 600, ...more },
});

beforeAll(async () => {
  await inStudio().studio.addTools(
    tool('edit_again', { recovery: 'rerun' }),
    tool('edit_once', { recovery: 'fail' }),
    tool('edit_asking', { recovery: 'ask' }),
  );
});

interface Editing {
  ada: ApiClient;
  run: StartRunResponse;
  context: BrowserContext;
  tab(): Promise<Page>;
}

/** A run that waits for a page, and a person with a browser. */
async function editing(key: string): Promise<Editing> {
  const { studio, visitor } = inStudio();
  studio.sim.setScenarios([
    scripted([{ toolCalls: [{ name: key, arguments: { file: 'a.txt' } }] }, { text: 'Done.' }]),
  ]);
  const backend = new ApiClient(studio.server.url, studio.apiKey);
  const { token } = await backend.call<SessionTokenResponse>('POST', '/v1/session-tokens', {
    endUserId: 'ada',
  });
  const ada = new ApiClient(studio.server.url, token);
  const run = await ada.start('edit it', { agent: 'poster-studio' });
  await ada.parkedOn(run.messageId, key);
  const { context, tab } = await visitor();
  await hostPage(context, studio.server.url);
  return {
    ada,
    run,
    context,
    tab: () => tab(`${studio.server.url}/host/?token=${token}&thread=${run.threadId}`),
  };
}

const begins = (page: Page) => page.waitForFunction(() => document.title === 'Editing');
const letEnd = (page: Page) =>
  page.evaluate(() => {
    localStorage.mayEnd = 'yes';
    // The tab that writes gets no event of its own.
    dispatchEvent(new StorageEvent('storage', { key: 'mayEnd' }));
  });
const resultsSent = () => {
  const { messages } = JSON.parse(inStudio().studio.sim.requests.at(-1)?.raw ?? '{}') as {
    messages: { role: string; content: string }[];
  };
  return messages.filter(({ role }) => role === 'tool').map(({ content }) => content);
};

it('a frontend tool runs in the page, and the run goes on with what it returned', async () => {
  const { ada, run, tab } = await editing('edit_again');
  const page = await tab();
  await begins(page);
  await letEnd(page);
  expect(await ada.ended(run.messageId)).toMatchObject({
    reason: 'final_answer',
    calls: [{ status: 'succeeded' }],
  });
  expect(resultsSent()).toEqual(['{"result":{"edited":"a.txt"}}']);
  await page.waitForFunction(() => document.body.dataset.status === 'completed');
});

it('S3 rerun: reloaded while it runs, it is run again by the page after, and its result is taken once', async () => {
  const { ada, run, tab } = await editing('edit_again');
  const page = await tab();
  await begins(page);
  await page.reload();
  await begins(page);
  expect(await stored(page, 'begun')).toBe('2');
  await letEnd(page);
  expect(await ada.ended(run.messageId)).toMatchObject({ calls: [{ status: 'succeeded' }] });
  expect(resultsSent()).toEqual(['{"result":{"edited":"a.txt"}}']);
});

it('S3 fail: reloaded while it runs, it is not run again; the model is told that nobody knows', async () => {
  const { ada, run, tab } = await editing('edit_once');
  const page = await tab();
  await begins(page);
  await page.reload();
  expect(await ada.ended(run.messageId)).toMatchObject({
    calls: [{ status: 'unknown', error: { code: 'client_lost' } }],
  });
  expect(await stored(page, 'begun')).toBe('1');
});

it('S3 ask: reloaded while it runs, the person is asked, and what did not happen is run again', async () => {
  const { ada, run, tab } = await editing('edit_asking');
  const page = await tab();
  await begins(page);
  await page.reload();
  const asked = await until('the question', async () => {
    const { interrupts } = await ada.message(run.messageId);
    return interrupts.find(({ kind, state }) => kind === 'question' && state === 'open') ?? null;
  });
  await ada.answer(asked.id, { type: 'resolve', outcome: 'did_not_happen' });
  await begins(page);
  expect(await stored(page, 'begun')).toBe('2');
  await letEnd(page);
  expect(await ada.ended(run.messageId)).toMatchObject({ calls: [{ status: 'succeeded' }] });
});

it('of two tabs one runs it, and when that one is closed the other takes over', async () => {
  const { ada, run, tab } = await editing('edit_again');
  const one = await tab();
  await begins(one);
  const two = await tab();
  await two.waitForFunction(() => document.body.dataset.status === 'interrupted');
  // Longer than a lease: the first tab has renewed it meanwhile.
  await two.waitForResponse((response) => response.url().endsWith('/lease') && response.status() === 409);
  await two.waitForResponse((response) => response.url().endsWith('/lease') && response.status() === 409);
  expect(await stored(two, 'begun')).toBe('1');
  await one.close();
  await begins(two);
  await letEnd(two);
  expect(await ada.ended(run.messageId)).toMatchObject({ calls: [{ status: 'succeeded' }] });
  expect(await stored(two, 'begun')).toBe('2');
});
