import { expect, it } from 'vitest';
import {
  approve,
  approveButton,
  ask,
  chinese,
  chooseStyle,
  fillDetails,
  headlineField,
  modelRequestsAbout,
  progressBar,
  seePoster,
  styleChoice,
} from './support/poster-steps.js';
import { withStudio } from './support/with-studio.js';

const inStudio = withStudio();

it('a reload at each of the five points comes back to the same state, and nothing is asked twice', async () => {
  const { studio, visitor } = inStudio();
  const page = await (await visitor()).tab();
  await studio.setJobDelay(4000);
  studio.sim.clearRequests();

  await ask(page, 'a poster for our autumn tea sale');
  await styleChoice(page).waitFor({ state: 'attached' });
  await page.waitForURL(/thread=thr_/);
  await page.reload();
  await chooseStyle(page);

  await headlineField(page).waitFor();
  const suggested = await headlineField(page).inputValue();
  await page.reload();
  await headlineField(page).waitFor();
  expect(await headlineField(page).inputValue()).toBe(suggested);
  expect(await styleChoice(page).count()).toBe(0);
  await fillDetails(page, 'Autumn Tea Sale');

  await approveButton(page).waitFor();
  await page.reload();
  await approve(page);

  await progressBar(page).waitFor();
  await page.reload();
  await progressBar(page).waitFor();
  await seePoster(page);

  await page.getByText('is ready').first().waitFor();
  await page.reload();
  await seePoster(page);
  await page.getByText('is ready').first().waitFor();

  expect(modelRequestsAbout(studio.sim.requests, 'autumn tea sale')).toHaveLength(4);
  const conversation = page.getByRole('log');
  expect(await conversation.getByText('a poster for our autumn tea sale').count()).toBe(1);
  // The submission is read by the model and not repeated in the chat.
  const log = await conversation.textContent();
  expect(log).not.toContain('"headline"');
});

it('a second tab shows the same run live, step by step, without a reload', async () => {
  const { studio, visitor } = inStudio();
  await studio.setJobDelay(600);
  const ada = await visitor();
  const first = await ada.tab();
  await ask(first, 'a poster for our jazz night');
  await first.waitForURL(/thread=thr_/);
  const second = await ada.tab(first.url());

  await styleChoice(second).waitFor({ state: 'attached' });
  await chooseStyle(first);
  await headlineField(second).waitFor();
  await fillDetails(second, 'Jazz Night');
  await approveButton(first).waitFor();
  await approve(first);
  await Promise.all([seePoster(first), seePoster(second)]);
  await second.getByText('is ready').first().waitFor();

  // The thread's own stream tells the second tab of the next run.
  await ask(first, 'thank you!');
  await second.getByText('thank you!').waitFor();
});

it('the whole job works in Chinese, from the words to the poster', async () => {
  const { studio, visitor } = inStudio();
  await studio.setJobDelay(600);
  const page = await (await visitor({ locale: 'zh-CN' })).tab();
  await ask(page, '为我们的秋季茶叶促销做一张海报', chinese);
  await chooseStyle(page, chinese);
  await fillDetails(page, '秋日新茶', chinese);
  await approve(page, chinese);
  await seePoster(page);
  const last = studio.sim.requests.at(-1)?.raw ?? '';
  expect(last).toContain('秋日新茶');
});

it('no API key reaches the page', async () => {
  const { studio, visitor } = inStudio();
  const ada = await visitor();
  const page = await ada.context.newPage();
  const seen: string[] = [];
  page.on('response', async (response) => {
    seen.push(JSON.stringify(response.request().headers()), await response.text().catch(() => ''));
  });
  await page.goto(studio.pageUrl);
  await page.getByRole('textbox').first().waitFor();
  await page.waitForLoadState('networkidle');
  expect(seen.length).toBeGreaterThan(4);
  expect(seen.filter((text) => text.includes(studio.apiKey) || text.includes('plk_'))).toEqual([]);
});
