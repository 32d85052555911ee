import { scripted } from '@plinth/model-sim';
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { expectAccessible } from './support/axe.js';
import { CHANGE_MS, editor, press, version, workspace } from './support/document-steps.js';
import { tabTo } from './support/keyboard.js';
import { look } from './support/look.js';
import { ask } from './support/poster-steps.js';
import { saveBeside } from './support/save-beside.js';
import { withStudio } from './support/with-studio.js';

const inStudio = withStudio();

const PLAN = '# Plan\n\nInvite the guests.\n\nBuy the tea.\n\nOpen the doors.\n';
const FILES = {
  'plan.md': PLAN,
  'main.py':
    'class Tea:\n    """Good."""\n    def price(self, cups=2):\n        return f"{cups} × 3.5"  # EUR\n',
  'prices.csv': 'tea,price\nOolong,12\nSencha,9\n',
};

async function withFiles(page: Page, files: Partial<typeof FILES>): Promise<void> {
  const toolCalls = Object.entries(files).map(([title, content]) => ({
    name: 'write_document',
    arguments: { title, content },
  }));
  inStudio().studio.sim.setScenarios([scripted([{ toolCalls }, { text: 'All there.' }])]);
  await ask(page, 'Write them');
  for (const title of Object.keys(files)) await tab(page, title).waitFor({ timeout: CHANGE_MS });
  await page.waitForURL(/thread=thr_/);
}

const tab = (page: Page, title: string) =>
  workspace(page).getByRole('list', { name: 'Results' }).getByRole('button', { name: title });

it('no view and no editor of the workspace has a serious finding', { timeout: 240_000 }, async () => {
  const page = await (await inStudio().visitor()).tab();
  await withFiles(page, FILES);
  for (const [title, ready] of [
    ['plan.md', '.plinth-document'],
    ['main.py', '.cm-content .tok-keyword'],
    ['prices.csv', '.plinth-grid'],
  ] as const) {
    await tab(page, title).click();
    await page.locator(ready).first().waitFor({ timeout: CHANGE_MS });
    await expectAccessible(page, `${title}, read`, { narrow: 'Workspace' });
    await press(page, 'Edit');
    await page.locator('.cm-content[contenteditable=true]').waitFor();
    await expectAccessible(page, `${title}, edited`, { narrow: 'Workspace' });
    await press(page, 'Preview');
  }
});

it('versions, their comparison, a conflict and its marks have none either', {
  timeout: 240_000,
}, async () => {
  const page = await (await inStudio().visitor()).tab();
  await withFiles(page, { 'plan.md': PLAN });
  await press(page, 'Edit');
  await editor(page).click();
  await page.keyboard.press('Control+End');
  await page.keyboard.type('Mine.');
  await saveBeside(page, inStudio().studio, 'plan.md', `${PLAN}Theirs.\n`);
  await workspace(page).getByText('saved version 2 meanwhile').waitFor({ timeout: CHANGE_MS });
  await expectAccessible(page, 'changed meanwhile', { narrow: 'Workspace' });
  await press(page, 'Compare and merge');
  await workspace(page).getByRole('heading', { name: 'Both of you changed this' }).waitFor();
  await expectAccessible(page, 'conflict', { narrow: 'Workspace' });
  await press(page, 'Merge both');
  await workspace(page).getByText('One place was changed by both of you.').waitFor();
  await expectAccessible(page, 'marks', { narrow: 'Workspace' });
  await press(page, 'Discard changes');
  await workspace(page).getByRole('button', { name: 'Versions: v2' }).click();
  await workspace(page)
    .getByRole('button', { name: /^Version 1/ })
    .waitFor();
  await expectAccessible(page, 'versions', { narrow: 'Workspace' });
  await workspace(page)
    .getByRole('button', { name: /^Version 1/ })
    .click();
  await expectAccessible(page, 'an older version', { narrow: 'Workspace' });
  await press(page, 'Compare with the newest');
  await workspace(page).locator('ins', { hasText: 'Theirs.' }).waitFor();
  await expectAccessible(page, 'comparison', { narrow: 'Workspace' });
});

it('the keyboard alone opens a document, edits, saves, and ends a conflict with what both have written', {
  timeout: 180_000,
}, async () => {
  const page = await (await inStudio().visitor()).tab();
  await withFiles(page, { 'plan.md': PLAN });
  await tabTo(page, 'Open plan.md', 'button');
  await page.keyboard.press('Enter');
  await tabTo(page, 'Edit', 'button');
  await page.keyboard.press('Enter');
  await editor(page).waitFor();
  await tabTo(page, /^Text of plan.md/, 'textbox');
  await workspace(page).getByText('Escape, then Tab leaves the editor.').waitFor();
  await page.keyboard.press('Control+End');
  await page.keyboard.type('Pour it.\n');
  await look(page, 'keyboard-editor');
  await page.keyboard.press('Control+s');
  await version(page, 2);

  await page.keyboard.press('Control+Home');
  await page.keyboard.press('Control+End');
  await page.keyboard.type('Drink it.\n');
  await saveBeside(
    page,
    inStudio().studio,
    'plan.md',
    `${PLAN.replace('Buy the tea', 'Buy good tea')}Pour it.\n`,
  );
  await workspace(page).getByText('saved version 3 meanwhile').waitFor({ timeout: CHANGE_MS });
  await page.keyboard.press('Escape');
  await tabTo(page, 'Compare and merge', 'button', 'Shift+Tab');
  await page.keyboard.press('Enter');
  await workspace(page).getByRole('heading', { name: 'Both of you changed this' }).waitFor();
  await tabTo(page, 'Merge both', 'button');
  await page.keyboard.press('Enter');
  await editor(page).getByText('Buy good tea.').waitFor();
  await editor(page).getByText('Drink it.').waitFor();
  expect(await editor(page).locator('.cm-line').allTextContents()).toEqual(
    `${PLAN.replace('Buy the tea', 'Buy good tea')}Pour it.\nDrink it.\n`.split('\n'),
  );
  await page.keyboard.press('Escape');
  await tabTo(page, 'Save', 'button', 'Shift+Tab');
  await page.keyboard.press('Enter');
  await version(page, 4);

  await tabTo(page, /^Versions: v4/, 'button');
  await page.keyboard.press('Enter');
  await workspace(page)
    .getByRole('button', { name: /^Version 1/ })
    .waitFor();
  await tabTo(page, /^Version 1/, 'button');
  await page.keyboard.press('Escape');
  const versions = workspace(page).getByRole('button', { name: /^Versions: v4/ });
  expect(await versions.evaluate((one) => one === document.activeElement)).toBe(true);
  await page.keyboard.press('Enter');
  await tabTo(page, /^Version 1/, 'button');
  await page.keyboard.press('Enter');
  await workspace(page).getByText('This is version 1; the newest is 4.').waitFor();
  await tabTo(page, 'Show the newest', 'button');
  await page.keyboard.press('Enter');
  await workspace(page).getByText('This is version 1').waitFor({ state: 'hidden' });
});
