import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { scripted } from '@plinth/model-sim';
import type { JsonObject } from '@plinth/protocol';
import { createTestDatabase, createTestRedis } from '@plinth/testkit';
import { type PlinthUnderTest, startPlinth } from '@plinth/testkit/system';
import { type Browser, chromium } from 'playwright-core';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { type ServedPage, servePage } from '../support/serve-page.js';
import { installPackages, type Project } from './install-packages.js';

const askingModel = scripted([
  { toolCalls: [{ name: 'ask', arguments: { question: 'Why?' } }] },
  { text: 'Thanks.' },
]);
const SETUP_MS = 400_000;
const STEP_MS = 60_000;
const object = (properties: JsonObject): JsonObject => ({
  type: 'object',
  properties,
  required: Object.keys(properties),
  additionalProperties: false,
});
const ask: JsonObject = {
  key: 'ask',
  title: 'Ask',
  description: 'Asks the person.',
  parameters: object({ question: { type: 'string' } }),
  executor: { kind: 'component', component: 'Ask', submit: object({ answer: { type: 'string' } }) },
};

let project: Project;
let plinth: PlinthUnderTest;
let browser: Browser;
let pages: ServedPage;
const closers: (() => Promise<unknown>)[] = [];

beforeAll(async () => {
  const provided = inject('plinth');
  if (provided.chromium === null)
    throw new Error('There is no Chromium. Install it, or set PLINTH_CHROMIUM.');
  const database = await createTestDatabase(provided);
  const redis = await createTestRedis(provided);
  closers.push(
    () => redis.drop(),
    () => database.drop(),
  );
  project = await installPackages();
  closers.unshift(() => project.remove());
  plinth = await startPlinth({
    topology: 'single',
    appUrl: database.appUrl,
    redisUrl: redis.url,
    business: () => ({ key: 'acme', tools: [ask] }),
  });
  closers.unshift(() => plinth.close());
  browser = await chromium.launch({
    executablePath: provided.chromium,
    args: ['--headless', '--no-sandbox', '--disable-gpu'],
  });
  closers.unshift(() => browser.close());
  pages = await servePage(join(project.folder, 'dist'), plinth.url);
  closers.unshift(() => pages.close());
}, SETUP_MS);
afterAll(async () => {
  for (const close of closers) await close();
}, SETUP_MS);

/** Opens the page with a session and goes through a run with a component of the stranger's own. */
async function talk(): Promise<string[]> {
  plinth.sim.setScenarios([askingModel]);
  const { credential } = await plinth.session('ada');
  const page = await browser.newPage();
  const complaints: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error' && !message.text().includes('favicon')) complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(String(error)));
  await page.goto(`${pages.url}/?token=${credential}`);
  await page.getByRole('textbox', { name: 'Message', exact: true }).fill('hello');
  await page.getByRole('button', { name: 'Send', exact: true }).click();
  await page.getByRole('button', { name: 'Why?' }).click({ timeout: STEP_MS });
  await page.getByRole('article').getByText('Thanks.', { exact: true }).waitFor({ timeout: STEP_MS });
  await page.close();
  return complaints.filter((text) => !text.includes('404'));
}

it('a tarball has what its package.json names, no sources and no addresses of this workspace', async () => {
  for (const { name, folder, files } of project.packed) {
    const manifest = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as {
      exports: Record<string, string | Record<string, string>>;
      dependencies: Record<string, string>;
    };
    const targets = Object.values(manifest.exports).flatMap((one) =>
      typeof one === 'string' ? [one] : Object.values(one),
    );
    for (const target of targets)
      expect({ name, files }).toMatchObject({ files: expect.arrayContaining([target.slice(2)]) });
    expect(files).toEqual(expect.arrayContaining(['LICENSE', 'README.md', 'package.json']));
    expect({
      name,
      files: files.filter((path) => /\.map$|tsbuildinfo|(^|\/)src\/|\.test\./.test(path)),
    }).toEqual({ name, files: [] });
    expect(Object.values(manifest.dependencies).filter((version) => !/^\d/.test(version))).toEqual([]);
  }
  const ui = project.packed.find(({ name }) => name === 'react');
  expect(await readFile(join(ui?.folder ?? '', 'dist/ui/index.js'), 'utf8')).toMatch(/^'use client'/);
});

it('types hold under strict, also inside of the packages, and a Vite app of them talks to the platform', async () => {
  await project.tool('tsc', '-p', '.');
  await project.tool('vite', 'build', '--logLevel', 'error');
  expect(await talk()).toEqual([]);
}, 240_000);

it('a server renders the chat, whole and streamed, and the page takes it over without a mismatch', async () => {
  await project.tool('vite', 'build', '--logLevel', 'error');
  await project.tool(
    'vite',
    'build',
    '--ssr',
    'src/server.tsx',
    '--outDir',
    'dist-server',
    '--logLevel',
    'error',
  );
  const [whole = '', streamed = ''] = (await project.node('dist-server/server.js')).split('<!--streamed-->');
  expect(whole).toContain('plinth-chat');
  expect(streamed).toContain('plinth-chat');
  const index = join(project.folder, 'dist/index.html');
  const html = await readFile(index, 'utf8');
  await writeFile(index, html.replace('<!--app-->', streamed.trim()));
  expect(await talk()).toEqual([]);
}, 240_000);

it('a back end in Node has the API with its types, and knows what is not there by its code', async () => {
  plinth.sim.setScenarios([askingModel]);
  await project.tool('tsc', '-p', 'tsconfig.back-end.json');
  const { url, credential } = plinth.backend;
  const told = JSON.parse(await project.node('dist-back-end/back-end.js', url, credential));
  expect(told).toMatchObject({ run: { agent: 'tester' }, code: 'not_found true' });
  expect(await plinth.as(told.token).call('GET', `/v1/runs/${told.run.id}`)).toMatchObject({
    id: told.run.id,
  });
}, 240_000);
