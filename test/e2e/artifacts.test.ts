import { scripted } from '@plinth/model-sim';
import type { MessageView, Page as PageOf, SessionTokenResponse, ThreadMessage } from '@plinth/protocol';
import { ApiClient } from '@plinth/testkit/system';
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { CHANGE_MS, press, workspace } from './support/document-steps.js';
import { look } from './support/look.js';
import { ask } from './support/poster-steps.js';
import { withStudio } from './support/with-studio.js';

const inStudio = withStudio();
const ROWS = 100_000;

const FILES = {
  'plan.md': '# Plan\n\n- **Monday**: tea\n',
  'main.py': 'def greet(name):\n    return f"Hello {name}"\n',
  'prices.csv': 'tea,price\nOolong,12\nSencha,9\nAssam,7\n',
};

/** The model writes these, one after the other, in one answer. */
async function withFiles(page: Page, files: Partial<typeof FILES> = FILES): Promise<void> {
  const calls = Object.entries(files).map(([title, content]) => ({
    name: 'write_document',
    arguments: { title, content },
  }));
  inStudio().studio.sim.setScenarios([scripted([{ toolCalls: calls }, { text: 'All there.' }])]);
  await ask(page, 'Write them');
  for (const title of Object.keys(files)) await tab(page, title).waitFor({ timeout: CHANGE_MS });
}

const tab = (page: Page, title: string) =>
  workspace(page).getByRole('list', { name: 'Results' }).getByRole('button', { name: title });

/** The visitor's own way to the API, and the id of what the thread's answer has made under this title. */
async function artifactOf(page: Page, title: string): Promise<{ token: string; id: string }> {
  const { token } = await page.evaluate<SessionTokenResponse>(async () =>
    (await fetch('/playground/api/session', { method: 'POST' })).json(),
  );
  const visitor = new ApiClient(inStudio().studio.server.url, token);
  const threadId = new URL(page.url()).searchParams.get('thread');
  const { items } = await visitor.call<PageOf<ThreadMessage>>('GET', `/v1/threads/${threadId}/messages`);
  const answer = items.find(({ role }) => role === 'assistant');
  const view: MessageView = await visitor.ended(answer?.id ?? 'none');
  return { token, id: view.artifacts.find((one) => one.title === title)?.id ?? 'none' };
}

it('a text opens in the view of its kind: Markdown is read, code is coloured, a table sorts and filters', async () => {
  const page = await (await inStudio().visitor()).tab();
  await withFiles(page);
  await tab(page, 'plan.md').click();
  await page.locator('.plinth-document strong', { hasText: 'Monday' }).waitFor();
  await tab(page, 'main.py').click();
  const keyword = page.locator('.cm-content .tok-keyword', { hasText: 'def' });
  await keyword.waitFor();
  expect(await keyword.evaluate((word) => getComputedStyle(word).color)).toBe('rgb(122, 47, 181)');
  await look(page, 'artifact-code');
  await tab(page, 'prices.csv').click();
  const cells = page.getByRole('cell');
  await workspace(page).getByText('3 rows').waitFor();
  await page.getByRole('columnheader', { name: 'price' }).getByRole('button').click();
  await expect.poll(() => cells.allTextContents()).toEqual(['Assam', '7', 'Sencha', '9', 'Oolong', '12']);
  await page.getByRole('searchbox').fill('sen');
  await expect.poll(() => cells.allTextContents()).toEqual(['Sencha', '9']);
  await look(page, 'artifact-table');
});

it('of a table of a hundred thousand rows only those in sight are drawn, to its very end', async () => {
  const page = await (await inStudio().visitor()).tab();
  await withFiles(page, { 'prices.csv': FILES['prices.csv'] });
  const { token, id } = await artifactOf(page, 'prices.csv');
  const body = `tea,price\n${Array.from({ length: ROWS }, (_, index) => `tea ${index + 1},${index + 1}`).join('\n')}\n`;
  const saved = await fetch(`${inStudio().studio.server.url}/v1/artifacts/${id}/content`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${token}`, 'if-match': '"1"', 'content-type': 'text/csv' },
    body,
  });
  expect(saved.status).toBe(200);
  await workspace(page).getByText('100,000 rows').waitFor({ timeout: CHANGE_MS });
  const box = page.locator('.plinth-table-box');
  await box.evaluate((element) => element.scrollTo(0, element.scrollHeight));
  await page.getByRole('cell', { name: `tea ${ROWS}`, exact: true }).waitFor();
  expect(await page.getByRole('row').count()).toBeLessThan(80);
  await look(page, 'artifact-table-end');
});

it('what is open is open again after a reload', async () => {
  const page = await (await inStudio().visitor()).tab();
  await withFiles(page);
  await tab(page, 'main.py').click();
  await page.locator('.cm-content').waitFor();
  await page.reload();
  await tab(page, 'main.py').waitFor({ timeout: CHANGE_MS });
  await page.locator('.cm-content').getByText('greet').waitFor();
  await press(page, 'Edit');
  await page.locator('.cm-content[contenteditable=true]').click();
  await page.keyboard.type('# ');
  await workspace(page).getByText('Unsaved changes').waitFor();
});
