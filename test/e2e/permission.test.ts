import type { FrontendTool, Plinth } from '@plinth/client';
import { scripted } from '@plinth/model-sim';
import type { Page } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';
import { expectAccessible } from './support/axe.js';
import { CHANGE_MS, said } from './support/document-steps.js';
import { tabTo } from './support/keyboard.js';
import { look } from './support/look.js';
import { ask } from './support/poster-steps.js';
import { withStudio } from './support/with-studio.js';

const inStudio = withStudio();

beforeAll(() =>
  inStudio().studio.addTools(
    {
      key: 'keep_note',
      title: 'Keep a note',
      description: 'Keeps a note in the page of the person.',
      parameters: { type: 'object', properties: { note: { type: 'string', title: 'Note' } } },
      executor: { kind: 'frontend', handler: 'notes', recovery: 'rerun' },
    },
    {
      key: 'send_note',
      title: 'Send a note',
      description: 'Sends a note from the page of the person.',
      parameters: { type: 'object', properties: { note: { type: 'string', title: 'Note' } } },
      executor: { kind: 'frontend', handler: 'sender', recovery: 'ask', leaseSeconds: 2 },
    },
  ),
);

/** A page that keeps notes, and asks its person each time. What it has kept stands in its title. */
async function keeping(page: Page): Promise<void> {
  await page.waitForFunction(
    () => (document.querySelector('plinth-chat') as { plinth?: unknown } | null)?.plinth,
  );
  await page.evaluate(() => {
    const { plinth } = document.querySelector('plinth-chat') as unknown as { plinth: Plinth };
    const execute: FrontendTool = ({ note }) => {
      document.title = `kept: ${note}`;
      return { kept: note ?? null };
    };
    plinth.registerTool({ name: 'notes', permission: 'ask', execute });
  });
}

async function asked(query = ''): Promise<Page> {
  const { studio, visitor } = inStudio();
  studio.sim.clearRequests();
  studio.sim.setScenarios([
    scripted([{ toolCalls: [{ name: 'keep_note', arguments: { note: 'Tea at ten' } }] }, { text: 'Noted.' }]),
  ]);
  const page = await (await visitor()).tab(`${studio.pageUrl}plain${query}`);
  await keeping(page);
  await ask(page, 'keep a note');
  await card(page).waitFor({ timeout: CHANGE_MS });
  return page;
}

const card = (page: Page) => page.getByRole('region', { name: 'Keep a note' }).filter({ hasText: 'Allow' });

/** The content of the tool message that the model was sent last. */
function answered(): string {
  const { messages } = JSON.parse(inStudio().studio.sim.requests.at(-1)?.raw ?? '{}') as {
    messages: { role: string; content: string }[];
  };
  return messages.findLast(({ role }) => role === 'tool')?.content ?? '';
}

it('the page asks before it does what the model wants, and by the keyboard alone it may do it this once', async () => {
  const page = await asked();
  await page.getByText('Waiting for your permission above.').waitFor();
  expect(await card(page).textContent()).toContain('Tea at ten');
  expect(await page.title()).not.toContain('kept');
  await look(page, 'permission');
  await expectAccessible(page, 'a permission');
  await tabTo(page, 'Allow', 'button');
  await page.keyboard.press('Enter');
  await said(page, 'Noted.');
  expect(await page.title()).toBe('kept: Tea at ten');
  expect(answered()).toContain('"kept":"Tea at ten"');
  const focused = await page.evaluate(() => document.activeElement?.closest('.plinth-message')?.tagName);
  expect(focused, 'the keyboard stays where the answer was given').toBe('ARTICLE');

  await ask(page, 'keep another');
  await card(page).waitFor({ timeout: CHANGE_MS });
});

it('a no by the keyboard has its reason for the model, and nothing is done', async () => {
  const page = await asked('?theme=dark');
  await tabTo(page, 'Decline', 'button');
  await page.keyboard.press('Enter');
  await page.keyboard.type('it is private');
  await look(page, 'permission-decline-dark');
  await expectAccessible(page, 'a permission that is declined');
  await tabTo(page, 'Decline', 'button');
  await page.keyboard.press('Enter');
  await said(page, 'Noted.');
  expect(await page.title()).not.toContain('kept');
  expect(answered()).toContain('it is private');
});

it('after a reload the question is asked again, in Chinese, on a narrow page', async () => {
  const page = await asked('?language=en');
  await page.waitForURL(/thread=thr_/);
  await page.setViewportSize({ width: 320, height: 640 });
  await page.goto(page.url().replace('language=en', 'language=zh'));
  await keeping(page);
  const allow = page.getByRole('button', { name: '允许', exact: true });
  await allow.waitFor({ timeout: CHANGE_MS });
  await look(page, 'permission-zh-narrow');
  await allow.click();
  await said(page, 'Noted.');
  expect(await page.title()).toBe('kept: Tea at ten');
});

it('whether a thing was done that the page broke off is asked, and what is not answered yet has no serious finding', {
  timeout: 180_000,
}, async () => {
  const { studio, visitor } = inStudio();
  studio.sim.setScenarios([
    scripted([
      { toolCalls: [{ name: 'send_note', arguments: { note: 'Tea at ten' } }] },
      { text: 'Understood.' },
    ]),
  ]);
  const page = await (await visitor()).tab(`${studio.pageUrl}plain`);
  await keeping(page);
  await page.evaluate(() => {
    const { plinth } = document.querySelector('plinth-chat') as unknown as { plinth: Plinth };
    plinth.registerTool({
      name: 'sender',
      execute: () => {
        document.title = 'sending';
        return new Promise(() => undefined);
      },
    });
  });
  await ask(page, 'send it');
  await page.waitForFunction(() => document.title === 'sending');
  await page.waitForURL(/thread=thr_/);
  await page.reload();
  const unknown = page.getByRole('button', { name: 'I do not know' });
  await unknown.waitFor({ timeout: CHANGE_MS });
  await look(page, 'question');
  await expectAccessible(page, 'a question about an outcome');
  await tabTo(page, 'It happened', 'button');
  await page.keyboard.press('Enter');
  await said(page, 'Understood.');
  const focused = await page.evaluate(() => document.activeElement?.className ?? '');
  expect(focused, 'the keyboard goes on at the card of the call').toContain('plinth-tool');
});
