import { readFile } from 'node:fs/promises';
import { scripted } from '@plinth/model-sim';
import type { JsonObject } from '@plinth/protocol';
import type { Page } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';
import { expectAccessible } from './support/axe.js';
import { CHANGE_MS, press, workspace } from './support/document-steps.js';
import type { ServedFile } from './support/file-host.js';
import { look } from './support/look.js';
import { aFilm, aPdf, aTone } from './support/made-files.js';
import { ask, chinese, type Words } from './support/poster-steps.js';
import { withStudio } from './support/with-studio.js';

const inStudio = withStudio();

beforeAll(async () => {
  const { studio } = inStudio();
  const tool: JsonObject = {
    key: 'fetch_file',
    title: 'Fetch a file',
    description: 'Fetches a file.',
    parameters: { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] },
    executor: {
      kind: 'http',
      url: `${studio.files.url}/{{args.name}}`,
      response: { as: 'file' },
    },
    result: { open: 'auto' },
  };
  await studio.addTools(tool);
});

/** The model's tool makes this file, and it opens by itself. */
async function withFile(page: Page, name: string, file: ServedFile, words?: Words): Promise<void> {
  const { studio } = inStudio();
  studio.files.serve(name, file);
  studio.sim.setScenarios([
    scripted([{ toolCalls: [{ name: 'fetch_file', arguments: { name } }] }, { text: 'Here it is.' }]),
  ]);
  await ask(page, 'Get it', words);
  await workspace(page).getByRole('button', { name }).waitFor({ timeout: CHANGE_MS });
}

/** What the browser saves when the person asks for the file. */
async function downloaded(page: Page, name = 'Download'): Promise<{ fileName: string; bytes: Buffer }> {
  const [download] = await Promise.all([page.waitForEvent('download'), press(page, name)]);
  return { fileName: download.suggestedFilename(), bytes: await readFile(await download.path()) };
}

it('a PDF that a tool made opens in the viewer of the browser, and is saved as it is', async () => {
  const page = await (await inStudio().visitor()).tab();
  const bytes = aPdf('Tea, and time.');
  await withFile(page, 'brief.pdf', { bytes, contentType: 'application/pdf' });
  const frame = workspace(page).locator('iframe[title="brief.pdf"]');
  await frame.waitFor();
  // The viewer is a document of the browser's own around the file.
  await expect
    .poll(() => page.frames().some((one) => one.url().startsWith('chrome-extension://')), { timeout: 15_000 })
    .toBe(true);
  await look(page, 'made-pdf');
  expect(await downloaded(page)).toEqual({ fileName: 'brief.pdf', bytes });
  await expectAccessible(page, 'a PDF');
});

it('a film that a tool made opens in a player, plays and can be jumped in', async () => {
  const page = await (await inStudio().visitor()).tab();
  const bytes = await aFilm(page);
  await withFile(page, 'wall.webm', { bytes, contentType: 'video/webm' });
  const player = workspace(page).locator('video');
  await expect
    .poll(() => player.evaluate((one: HTMLVideoElement) => one.videoWidth), { timeout: 15_000 })
    .toBe(320);
  await player.evaluate(async (one: HTMLVideoElement) => {
    one.muted = true;
    await one.play();
  });
  await expect.poll(() => player.evaluate((one: HTMLVideoElement) => one.currentTime)).toBeGreaterThan(0.3);
  await look(page, 'made-video');
  expect((await downloaded(page)).bytes).toEqual(bytes);
  await expectAccessible(page, 'a film');
});

it('a sound that a tool made opens in a player', async () => {
  const page = await (await inStudio().visitor()).tab();
  await withFile(page, 'call.wav', { bytes: aTone(2), contentType: 'audio/wav' });
  const player = workspace(page).locator('audio');
  await expect
    .poll(() => player.evaluate((one: HTMLAudioElement) => one.duration), { timeout: 15_000 })
    .toBe(2);
  await look(page, 'made-audio');
  await expectAccessible(page, 'a sound');
});

it('a film that no browser can play says so, and is saved as it is', async () => {
  const page = await (await inStudio().visitor()).tab();
  // The head of a WebM, and nothing behind it.
  const bytes = (await aFilm(page)).subarray(0, 60);
  await withFile(page, 'torn.webm', { bytes, contentType: 'video/webm' });
  await workspace(page).getByText('This browser cannot show this file.').waitFor({ timeout: CHANGE_MS });
  await look(page, 'made-torn-video');
  expect((await downloaded(page, 'Download 60 bytes')).bytes).toEqual(bytes);
  await expectAccessible(page, 'a torn film');
});

it('a file of no known kind says so, and is saved as it is, by its name in any language', async () => {
  const page = await (await inStudio().visitor({ locale: 'zh-CN' })).tab();
  const bytes = Buffer.from([0, 1, 2, 3, 254, 255, 0, 200, 7]);
  await withFile(page, '秋季数据.bin', { bytes, contentType: 'application/octet-stream' }, chinese);
  await workspace(page).getByText('此类文件无法预览，请下载查看。').waitFor();
  await look(page, 'made-unknown-zh');
  expect(await downloaded(page, '下载')).toEqual({ fileName: '秋季数据.bin', bytes });
  await expectAccessible(page, 'an unknown file');
});
