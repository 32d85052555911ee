import type { Page } from 'playwright-core';
import { expect } from 'vitest';

/** Milliseconds that a step of the main job may take on a busy machine. */
const STEP_MS = 30_000;

/** The main job, step by step, as a person does it. Each step waits until the page shows that it is its turn. */
export const english = {
  send: 'Send',
  message: 'Message',
  style: 'Botanical',
  useStyle: 'Use Botanical',
  headline: 'Headline',
  useDetails: 'Use these details',
  approve: 'Approve',
  progress: /^Progress of/,
};
export type Words = typeof english;
export const chinese: Words = {
  send: '发送',
  message: '消息',
  style: '植物',
  useStyle: '使用“植物”',
  headline: '标题',
  useDetails: '使用这些内容',
  approve: '批准',
  progress: /^进度/,
};

export async function ask(page: Page, text: string, words = english): Promise<void> {
  const composer = page.getByRole('textbox', { name: words.message, exact: true });
  await composer.fill(text);
  await page.getByRole('button', { name: words.send, exact: true }).click();
}

export const styleChoice = (page: Page, words = english) => page.getByRole('radio', { name: words.style });
export const headlineField = (page: Page, words = english) =>
  page.getByLabel(words.headline, { exact: true });
export const approveButton = (page: Page, words = english) =>
  page.getByRole('button', { name: words.approve, exact: true });
export const progressBar = (page: Page, words = english) =>
  page.getByRole('progressbar', { name: words.progress });
export const poster = (page: Page, headline: string) =>
  page.getByRole('img', { name: new RegExp(headline) }).first();

export async function chooseStyle(page: Page, words = english): Promise<void> {
  await styleChoice(page, words).waitFor({ state: 'attached', timeout: STEP_MS });
  await styleChoice(page, words).check({ force: true });
  await page.getByRole('button', { name: words.useStyle, exact: true }).click();
}

export async function fillDetails(page: Page, headline: string, words = english): Promise<void> {
  await headlineField(page, words).waitFor({ timeout: STEP_MS });
  await headlineField(page, words).fill(headline);
  await page.getByRole('button', { name: words.useDetails, exact: true }).click();
}

export async function approve(page: Page, words = english): Promise<void> {
  await approveButton(page, words).click({ timeout: STEP_MS });
}

/** The poster hangs in the workspace, and its bytes are a picture that the browser could draw. */
export async function seePoster(page: Page): Promise<void> {
  const image = page.locator('img[src*="/v1/artifacts/"]').first();
  await image.waitFor({ timeout: STEP_MS });
  await page.waitForFunction(() => {
    const shown = document.querySelector<HTMLImageElement>('img[src*="/v1/artifacts/"]');
    return shown?.complete === true && shown.naturalWidth > 500;
  });
}

/** What the model was sent about this text: how often it was asked, and that nothing was asked twice. */
export function modelRequestsAbout(requests: readonly { raw: string }[], text: string): string[] {
  const about = requests.map(({ raw }) => raw).filter((raw) => raw.includes(text));
  expect(new Set(about).size).toBe(about.length);
  return about;
}
