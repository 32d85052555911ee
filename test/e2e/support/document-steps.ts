import type { Locator, Page } from 'playwright-core';

/** Milliseconds that the model and the platform may take for a change on a busy machine. */
export const CHANGE_MS = 30_000;

export const documentEnglish = {
  workspace: 'Workspace',
  edit: 'Edit',
  preview: 'Preview',
  save: 'Save',
  versions: 'Versions',
  resolve: 'Compare and merge',
  merge: 'Merge both',
};
export type DocumentWords = typeof documentEnglish;
export const documentChinese: DocumentWords = {
  workspace: '工作区',
  edit: '编辑',
  preview: '预览',
  save: '保存',
  versions: '版本',
  resolve: '比较并合并',
  merge: '合并两者',
};

export const workspace = (page: Page): Locator => page.locator('.plinth-workspace');
/** The text as it is read. */
export const reading = (page: Page): Locator => page.locator('.plinth-document');
export const editor = (page: Page): Locator => page.locator('.cm-content');
export const press = (page: Page, name: string): Promise<void> =>
  workspace(page).getByRole('button', { name, exact: true }).click();

export const openVersions = (page: Page, words = documentEnglish): Promise<void> =>
  workspace(page)
    .getByRole('button', { name: `${words.versions}: v` })
    .click();

/** The version that is shown. */
export const version = (page: Page, number: number, words = documentEnglish): Promise<void> =>
  workspace(page)
    .getByRole('button', { name: `${words.versions}: v${number}`, exact: true })
    .waitFor({ timeout: CHANGE_MS });

/** What the model says in the chat. */
export const said = (page: Page, text: string): Promise<void> =>
  page.getByRole('article').getByText(text).last().waitFor({ timeout: CHANGE_MS });

/** Puts words in the place of a line, which may be drawn as several, as a person does: with the keyboard, in the editor. */
export async function replaceInEditor(page: Page, line: string, by: string): Promise<void> {
  await editor(page).locator('.cm-line', { hasText: line }).first().click();
  for (const key of ['Home', 'Home', 'Shift+End', 'Shift+End']) await page.keyboard.press(key);
  await page.keyboard.type(by);
}
