import { join } from 'node:path';
import { scripted } from '@plinth/model-sim';
import { createTestDatabase, createTestRedis } from '@plinth/testkit';
import { type PlinthUnderTest, photo, ROOT, startPlinth } from '@plinth/testkit/system';
import { type Browser, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { look } from '../e2e/support/look.js';
import { type CdnPages, serveCdnPages } from './cdn-page.js';

const SETUP_MS = 300_000;
const TEST_MS = 300_000;
const STEP_MS = 60_000;
const FILES = [
  { name: 'tea.png', base64: photo(60_000, 1).toString('base64') },
  { name: 'notes.md', base64: Buffer.from('# Tea notes\n\nGreen, then black.\n').toString('base64') },
  { name: 'prices.csv', base64: Buffer.from('tea,price\nSencha,12\nAssam,9\n').toString('base64') },
];

let plinth: PlinthUnderTest;
let browser: Browser;
let pages: CdnPages;
const closers: (() => Promise<unknown>)[] = [];

beforeAll(async () => {
  const provided = inject('plinth');
  if (provided.chromium === null)
    throw new Error('There is no Chromium. Install it, or set PLINTH_CHROMIUM.');
  const database = await createTestDatabase(provided);
  closers.unshift(() => database.drop());
  const redis = await createTestRedis(provided);
  closers.unshift(() => redis.drop());
  pages = await serveCdnPages(join(ROOT, 'packages/react/dist/cdn'), () => plinth.url);
  closers.unshift(() => pages.close());
  plinth = await startPlinth({
    topology: 'single',
    appUrl: database.appUrl,
    redisUrl: redis.url,
    business: (jobs) => ({
      key: 'acme',
      tools: [
        {
          key: 'make',
          title: 'Make',
          description: 'Makes a picture, notes and a table.',
          parameters: { type: 'object', properties: {}, additionalProperties: false },
          executor: { kind: 'remote', url: `${jobs}/make` },
        },
      ],
    }),
    environment: { PLINTH_CORS_ORIGINS: pages.origin },
  });
  closers.unshift(() => plinth.close());
  plinth.jobs.react = async (dispatch) => {
    await plinth.jobs.finish(dispatch, { status: 'succeeded', result: { made: 3 }, files: FILES });
    return { status: 202, body: { accepted: true } };
  };
  plinth.sim.setScenarios([
    scripted([{ toolCalls: [{ name: 'make', arguments: {} }] }, { text: 'Three things.' }]),
  ]);
  browser = await chromium.launch({
    executablePath: provided.chromium,
    args: ['--headless', '--no-sandbox', '--disable-gpu'],
  });
  closers.unshift(() => browser.close());
}, SETUP_MS);
afterAll(async () => {
  for (const close of closers) await close();
}, SETUP_MS);

interface Opened {
  page: Page;
  /** What the browser refused or could not do. */
  complaints: string[];
  /** Files of the CDN, by their names. */
  loaded: string[];
}

async function open(form: 'global' | 'module', query = ''): Promise<Opened> {
  const { credential } = await plinth.session('ada');
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
  const complaints: string[] = [];
  const loaded: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(String(error)));
  page.on('request', (request) => {
    if (request.url().startsWith(pages.cdn)) loaded.push(request.url().slice(pages.cdn.length + 1));
  });
  await page.goto(pages.url(form, `token=${credential}${query}`));
  return { page, complaints, loaded };
}

/** Has the three products made. */
async function make(page: Page, words = 'make them'): Promise<void> {
  await page.getByRole('textbox').first().fill(words);
  await page.keyboard.press('Enter');
  await page.getByRole('article').getByText('Three things.', { exact: true }).waitFor({ timeout: STEP_MS });
}

const tab = (page: Page, name: string) =>
  page.locator('.plinth-workspace-list').getByRole('button', { name }).click({ timeout: STEP_MS });
const chip = (page: Page, name: string) =>
  page.locator('.plinth-chat').getByRole('button', { name }).first().click({ timeout: STEP_MS });

for (const form of ['global', 'module'] as const)
  it(
    `${form}: a picture, a document and a table open from the files of the CDN, under a strict policy of the host`,
    async () => {
      const { page, complaints, loaded } = await open(form);
      await page.locator('plinth-chat textarea').waitFor({ timeout: STEP_MS });
      expect(loaded.filter((file) => file.includes('workspace'))).toEqual([]);
      await make(page);
      await chip(page, 'tea.png');
      const picture = page.locator('.plinth-aside img').first();
      await picture.waitFor({ timeout: STEP_MS });
      await expect
        .poll(() => picture.evaluate((image) => (image as HTMLImageElement).naturalWidth))
        .toBeGreaterThan(0);
      await look(page, `cdn-${form}-picture`);
      await tab(page, 'notes.md');
      await page.locator('.plinth-aside').getByRole('heading', { name: 'Tea notes' }).waitFor();
      expect(loaded.filter((file) => file.includes('editor'))).toEqual([]);
      await page.getByRole('button', { name: 'Edit', exact: true }).click();
      const editor = page.locator('.plinth-aside .cm-content');
      await editor.click({ timeout: STEP_MS });
      await page.keyboard.press('Control+End');
      await page.keyboard.type('And white.');
      await look(page, `cdn-${form}-editor`);
      await page.getByRole('button', { name: 'Save', exact: true }).click();
      await page.locator('.plinth-workspace-list').getByText('v2').waitFor({ timeout: STEP_MS });
      await tab(page, 'prices.csv');
      await page.locator('.plinth-aside').getByText('Sencha').waitFor({ timeout: STEP_MS });
      await look(page, `cdn-${form}-table`);
      expect(complaints).toEqual([]);
      await page.close();
    },
    TEST_MS,
  );

it(
  'on a narrow page the workspace stands over the chat when the person asks for it, and can be left again',
  async () => {
    const { page, complaints } = await open('global', '&theme=dark&language=zh');
    await page.setViewportSize({ width: 390, height: 780 });
    await make(page);
    expect(await page.locator('.plinth-aside').isVisible()).toBe(false);
    await chip(page, 'notes.md');
    await page.locator('.plinth-aside').getByRole('heading', { name: 'Tea notes' }).waitFor();
    await look(page, 'cdn-narrow-dark-zh');
    const close = page.getByRole('button', { name: '关闭工作区' });
    expect(await close.evaluate((button) => button === document.activeElement)).toBe(true);
    await close.click();
    expect(await page.locator('.plinth-aside').isVisible()).toBe(false);
    expect(await page.evaluate(() => document.activeElement?.textContent)).toContain('notes.md');
    expect(complaints).toEqual([]);
    await page.close();
  },
  TEST_MS,
);

it(
  'a workspace that cannot be loaded says so and is tried again; a host that has its own turns it off',
  async () => {
    const { page } = await open('global');
    await page.route(/plinth\.workspace\.js/, (route) => route.abort());
    await make(page);
    await chip(page, 'notes.md');
    await page.getByText('The workspace could not be loaded.').waitFor({ timeout: STEP_MS });
    await look(page, 'cdn-failed');
    await page.unroute(/plinth\.workspace\.js/);
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.locator('.plinth-aside').getByRole('heading', { name: 'Tea notes' }).waitFor();
    await page.close();

    const off = await open('global', '&workspace=off');
    await make(off.page);
    await off.page.locator('.plinth-chat').getByText('notes.md').first().waitFor();
    expect(await off.page.locator('.plinth-chat').getByRole('button', { name: 'notes.md' }).count()).toBe(0);
    expect(off.loaded.filter((file) => file.includes('workspace'))).toEqual([]);
    await off.page.close();
  },
  TEST_MS,
);
