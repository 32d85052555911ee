import type {
  ArtifactVersionView,
  Page as PageOf,
  SessionTokenResponse,
  ThreadMessage,
} from '@plinth/protocol';
import { ApiClient } from '@plinth/testkit/system';
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { expectAccessible } from './support/axe.js';
import {
  CHANGE_MS,
  documentChinese,
  documentEnglish,
  editor,
  openVersions,
  press,
  reading,
  replaceInEditor,
  said,
  version,
  workspace,
} from './support/document-steps.js';
import { look } from './support/look.js';
import { ask, chinese } from './support/poster-steps.js';
import { withStudio } from './support/with-studio.js';

const inStudio = withStudio();
const EXAMPLE = 'Write a brief for our autumn tea sale';
const STEP = 'Order the print two weeks before';

const unsaved = (page: Page) => page.locator('.plinth-artifact-state');

type Saved = { text: string; authors: string[] };

/** The newest text of the thread's document, and who made its versions, newest first, by the visitor's own token. */
async function saved(page: Page): Promise<Saved> {
  const { studio } = inStudio();
  const { token } = await page.evaluate<SessionTokenResponse>(async () =>
    (await fetch('/playground/api/session', { method: 'POST' })).json(),
  );
  const visitor = new ApiClient(studio.server.url, token);
  const threadId = new URL(page.url()).searchParams.get('thread');
  const { items } = await visitor.call<PageOf<ThreadMessage>>('GET', `/v1/threads/${threadId}/messages`);
  const answers = items.filter(({ role }) => role === 'assistant');
  const views = await Promise.all(answers.map((answer) => visitor.ended(answer.id)));
  const id = views.flatMap(({ artifacts }) => artifacts)[0]?.id ?? 'none';
  const { contentUrl } = await visitor.call<{ contentUrl: string }>('GET', `/v1/artifacts/${id}`);
  const versions = await visitor.call<PageOf<ArtifactVersionView>>('GET', `/v1/artifacts/${id}/versions`);
  return {
    text: await (await fetch(`${studio.server.url}${contentUrl}`)).text(),
    authors: versions.items.map(({ author }) => author.kind),
  };
}

/** The tools that the model called in its answer to the last message, as it was sent them. */
function lastCalls(): string[] {
  const { messages } = JSON.parse(inStudio().studio.sim.requests.at(-1)?.raw ?? '{}') as {
    messages: { role: string; content: string; tool_calls?: { function: { name: string } }[] }[];
  };
  const since = messages.slice(messages.findLastIndex(({ role }) => role === 'user'));
  return since.flatMap(({ tool_calls = [] }) => tool_calls.map((call) => call.function.name));
}

async function written(page: Page): Promise<void> {
  await page.getByRole('button', { name: EXAMPLE }).click();
  await reading(page).getByRole('heading', { name: 'Autumn Tea Sale' }).waitFor({ timeout: CHANGE_MS });
}

it('the model and the person write one document: an edit on what the person has changed is made on their version', async () => {
  const { visitor } = inStudio();
  const page = await (await visitor()).tab();
  await written(page);
  await said(page, 'We both can change it');
  await look(page, 'document-light');

  await ask(page, 'Make the goal shorter');
  await version(page, 2);
  await reading(page).getByText('Bring regular guests back after the summer.', { exact: true }).waitFor();
  await expect.poll(lastCalls, { timeout: CHANGE_MS }).toEqual(['edit_document']);

  await press(page, documentEnglish.edit);
  await replaceInEditor(page, STEP, '- Order the print today');
  await unsaved(page).waitFor();
  await look(page, 'document-editor');
  await page.keyboard.press('Control+s');
  await version(page, 3);
  await unsaved(page).waitFor({ state: 'hidden' });
  await page.keyboard.type('!');
  await editor(page).getByText('- Order the print today!').waitFor();
  await page.keyboard.press('Backspace');
  await unsaved(page).waitFor({ state: 'hidden' });

  await ask(page, 'Change the message to "Tea, and time."');
  await version(page, 4);
  await said(page, 'You have changed the brief meanwhile');
  await said(page, 'Everything else stands as it was');
  const stale = page.locator('.plinth-tool--stale');
  await stale.getByText('Changed meanwhile', { exact: true }).waitFor();
  await stale.scrollIntoViewIfNeeded();
  await look(page, 'document-stale');
  await expectAccessible(page, 'an edit that came too late');
  expect(await page.locator('.plinth-tool--failed').count()).toBe(0);
  await expect
    .poll(lastCalls, { timeout: CHANGE_MS })
    .toEqual(['edit_document', 'get_artifact', 'edit_document']);
  await press(page, documentEnglish.preview);
  await reading(page).getByText('Tea, and time.').waitFor();
  const { text, authors } = await saved(page);
  expect(text).toContain('- Order the print today');
  expect(text).toContain('## Message\n\nTea, and time.');
  expect(text).toContain('after the summer.\n');
  expect(authors).toEqual(['model', 'end_user', 'model', 'model']);

  await openVersions(page);
  await workspace(page)
    .getByRole('button', { name: /^Version 3/ })
    .waitFor();
  await look(page, 'document-versions');
  await workspace(page)
    .getByRole('button', { name: /^Version 1/ })
    .click();
  await workspace(page).getByText('This is version 1; the newest is 4.').waitFor();
  await press(page, 'Compare with the newest');
  await workspace(page).locator('ins', { hasText: 'Tea, and time.' }).waitFor();
  await look(page, 'document-compare');
});

it('what the model saves while the person types is told, and both changes are merged', async () => {
  const { visitor } = inStudio();
  const page = await (await visitor()).tab();
  await written(page);
  await press(page, documentEnglish.edit);
  await replaceInEditor(page, STEP, '- Order the print tomorrow');
  await ask(page, 'Make the goal shorter');
  await workspace(page).getByText('The assistant saved version 2 meanwhile.').waitFor({ timeout: CHANGE_MS });
  expect(await workspace(page).getByRole('button', { name: 'Save', exact: true }).isDisabled()).toBe(true);
  await look(page, 'document-conflict-bar');
  await press(page, documentEnglish.resolve);
  await workspace(page).getByText('2 differences').waitFor();
  await look(page, 'document-conflict');
  await press(page, documentEnglish.merge);
  await press(page, documentEnglish.save);
  await version(page, 3);
  const { text, authors } = await saved(page);
  expect(text).toContain('- Order the print tomorrow');
  expect(text).toContain('## Goal\n\nBring regular guests back after the summer.\n');
  expect(authors).toEqual(['end_user', 'model', 'model']);
});

it('a place that both have changed is marked, and is saved when the person has decided', async () => {
  const { visitor } = inStudio();
  const page = await (await visitor()).tab();
  await page.emulateMedia({ colorScheme: 'dark' });
  await written(page);
  await press(page, documentEnglish.edit);
  await replaceInEditor(page, '> Good things', '> Many guests.');
  await ask(page, 'Change the message to "Tea, and time."');
  await press(page, documentEnglish.resolve);
  await press(page, documentEnglish.merge);
  await workspace(page).getByText('One place was changed by both of you.').waitFor();
  await look(page, 'document-marks-dark');
  const save = workspace(page).getByRole('button', { name: 'Save', exact: true });
  expect(await save.isDisabled()).toBe(true);
  for (const mark of ['<<<<<<<', '=======', '>>>>>>>']) await replaceInEditor(page, mark, 'both');
  await expect.poll(() => save.isEnabled()).toBe(true);
  await save.click();
  await version(page, 3);
  expect((await saved(page)).text).toContain('both\n> Many guests.\nboth\nTea, and time.\nboth\n');
});

it('the draft and the place of a reload are kept, and a document that the model changes comes to the front', async () => {
  const { visitor } = inStudio();
  const page = await (await visitor()).tab();
  await written(page);
  await press(page, documentEnglish.edit);
  await replaceInEditor(page, STEP, '- Order nothing');
  page.on('dialog', (dialog) => dialog.accept());
  await page.reload();
  await unsaved(page).waitFor({ timeout: CHANGE_MS });
  await reading(page).getByText('Order nothing').waitFor();
  await press(page, 'Discard changes');
  await reading(page).getByText(STEP).waitFor();

  await ask(page, 'a jingle for our autumn tea sale');
  await workspace(page).locator('audio').waitFor({ timeout: CHANGE_MS });
  await ask(page, 'Make the goal shorter');
  await version(page, 2);
  await reading(page).getByText('Bring regular guests back after the summer.', { exact: true }).waitFor();
});

it('in Chinese, on a narrow dark page, a document is written, edited and saved, and nothing overflows', async () => {
  const { visitor } = inStudio();
  const page = await (await visitor({ locale: 'zh-CN' })).tab();
  await page.setViewportSize({ width: 390, height: 820 });
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.getByRole('button', { name: '为我们的秋季茶叶促销写一份简报' }).click();
  await said(page, '我们都可以修改');
  await look(page, 'document-chat-zh-narrow');
  await page.getByRole('button', { name: documentChinese.workspace, exact: true }).click();
  await reading(page).getByRole('heading', { name: '秋季茶叶促销' }).waitFor();
  await look(page, 'document-zh-narrow');
  await press(page, documentChinese.edit);
  await replaceInEditor(page, '提前两周送印', '- 今天送印');
  expect(await editor(page).isVisible()).toBe(true);
  await look(page, 'document-editor-zh-narrow');
  await press(page, documentChinese.save);
  await version(page, 2, documentChinese);
  await page.getByRole('button', { name: '对话', exact: true }).click();
  await ask(page, '把目标写短一点', chinese);
  await said(page, '改好了');
  await expect
    .poll(lastCalls, { timeout: CHANGE_MS })
    .toEqual(['edit_document', 'get_artifact', 'edit_document']);
  await page.getByRole('button', { name: documentChinese.workspace, exact: true }).click();
  await openVersions(page, documentChinese);
  await workspace(page)
    .getByRole('button', { name: /^版本 3/ })
    .waitFor();
  await look(page, 'document-versions-zh-narrow');
  const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
  expect(overflow).toBeLessThanOrEqual(0);
  expect((await saved(page)).text).toContain('- 今天送印');
});
