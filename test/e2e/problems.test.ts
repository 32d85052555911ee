import { posterStudio } from '@plinth/model-sim';
import type { Page } from 'playwright-core';
import { afterEach, expect, it } from 'vitest';
import { expectAccessible } from './support/axe.js';
import { CHANGE_MS } from './support/document-steps.js';
import { look } from './support/look.js';
import { ask, chinese } from './support/poster-steps.js';
import { withStudio } from './support/with-studio.js';

const inStudio = withStudio();

afterEach(() => inStudio().studio.sim.setScenarios([posterStudio]));

const problem = (page: Page) => page.getByRole('alert');
const refuse = (status: number, code: string) => ({
  status,
  contentType: 'application/problem+json',
  body: JSON.stringify({ code, detail: 'For the log, not for people.' }),
});

/** A thread that this person has, and a page of theirs that is not open yet. */
async function aThread(locale = 'en-GB', words?: typeof chinese) {
  const { context, tab } = await inStudio().visitor({ locale });
  const page = await tab();
  await ask(page, 'hello', words);
  await page.waitForURL(/thread=thr_/, { timeout: CHANGE_MS });
  await page
    .getByRole('button', { name: words ? '重新回答' : 'Answer again' })
    .waitFor({ timeout: CHANGE_MS });
  const url = page.url();
  await page.close();
  return { context, tab, url };
}

it('the server is away while the page loads: it says so, goes on trying, and shows the thread when it is back', async () => {
  const { context, tab, url } = await aThread();
  let isAway = true;
  await context.route('**/v1/**', (route) => (isAway ? route.abort('connectionrefused') : route.continue()));
  const page = await tab(url);
  await problem(page).getByText('The server cannot be reached.').waitFor({ timeout: CHANGE_MS });
  expect(await problem(page).textContent()).toContain('Trying again by itself.');
  await look(page, 'problem-away');
  await expectAccessible(page, 'the server is away');
  isAway = false;
  await page.getByRole('button', { name: 'Answer again' }).waitFor({ timeout: 60_000 });
  expect(await problem(page).count()).toBe(0);
});

it('the session cannot be renewed: the person is told to reload and to sign in', async () => {
  const { context, tab, url } = await aThread('zh-CN', chinese);
  await context.route('**/v1/**', (route) => route.fulfill(refuse(401, 'unauthenticated')));
  const page = await tab(url);
  await problem(page).getByText('登录已失效。').waitFor({ timeout: CHANGE_MS });
  await look(page, 'problem-signed-out-zh');
  await expectAccessible(page, 'signed out');
});

it('the session ends in the middle: what is there stays, and a message that is not sent says why', async () => {
  const { context, tab, url } = await aThread();
  const page = await tab(url);
  await page.getByRole('button', { name: 'Answer again' }).waitFor({ timeout: CHANGE_MS });
  await context.route('**/v1/**', (route) => route.fulfill(refuse(401, 'unauthenticated')));
  await ask(page, 'are you there');
  const delivery = page.locator('.plinth-delivery');
  await delivery.getByText('Not sent: You are not signed in any more.').waitFor();
  await look(page, 'problem-not-sent');
  await expectAccessible(page, 'a message that is not sent');
  await context.unroute('**/v1/**');
  await page.getByRole('button', { name: 'Send again' }).click();
  await expect.poll(() => delivery.count(), { timeout: CHANGE_MS }).toBe(0);
});

it('what is forbidden, and what is not there, is told apart, without the words of the log', async () => {
  const { context, tab, url } = await aThread();
  const gone = await tab(url.replace(/thr_\w+/, 'thr_00000000000000000000000000'));
  await problem(gone).getByText('It does not exist, or it is not yours.').waitFor({ timeout: CHANGE_MS });
  await gone.setViewportSize({ width: 320, height: 640 });
  await gone.emulateMedia({ colorScheme: 'dark' });
  await look(gone, 'problem-not-found-narrow-dark');
  await gone.close();
  await context.route('**/v1/threads/*/messages**', (route) => route.fulfill(refuse(403, 'forbidden')));
  const page = await tab(url);
  await problem(page).getByText('You are not allowed to do this.').waitFor({ timeout: CHANGE_MS });
  expect(await page.getByText('For the log').count()).toBe(0);
  await look(page, 'problem-forbidden');
  await expectAccessible(page, 'forbidden');
});

it('a conversation that has become too long for the model says what to do, in both languages', async () => {
  const { studio, visitor } = inStudio();
  await studio.configureAgent({
    model: { name: 'gpt-4o', maxOutputTokens: 1000 },
    context: { endpoint: { windowTokens: 16_000 } },
  });
  const { tab } = await visitor();
  const page = await tab();
  await ask(page, Array.from({ length: 6000 }, (_, n) => `tea ${n} `).join(''));
  await problem(page).getByText('this conversation has become too long').waitFor({ timeout: 60_000 });
  await look(page, 'problem-unfit');
  await expectAccessible(page, 'too long');
  await page.getByRole('button', { name: '切换到中文' }).click();
  await problem(page).getByText('请开始新对话，或修改较早的消息').waitFor();
  await page.setViewportSize({ width: 320, height: 640 });
  await look(page, 'problem-unfit-zh-narrow');
});
