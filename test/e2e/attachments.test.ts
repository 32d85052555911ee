import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { scripted } from '@plinth/model-sim';
import type { Page } from 'playwright-core';
import { beforeEach, expect, it } from 'vitest';
import { expectAccessible, tooWide } from './support/axe.js';
import { CHANGE_MS, said } from './support/document-steps.js';
import { look } from './support/look.js';
import { aTone } from './support/made-files.js';
import { withStudio } from './support/with-studio.js';

const inStudio = withStudio();
const MIB = 1024 * 1024;

beforeEach(() => {
  inStudio().studio.sim.clearRequests();
  inStudio().studio.sim.setScenarios([scripted([{ text: 'I have it, thank you.' }])]);
});

type Given = { name: string; mimeType: string; buffer: Buffer };
const TEXT: Given = { name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('Tea, and time.') };
const ARCHIVE: Given = {
  name: 'old.zip',
  mimeType: 'application/zip',
  buffer: Buffer.from('504b0506000000000000000000000000000000000000', 'hex'),
};

/** A picture of one colour, drawn by the browser. */
async function aPicture(page: Page, name: string): Promise<Given> {
  const base64 = await page.evaluate(() => {
    const canvas = Object.assign(document.createElement('canvas'), { width: 320, height: 200 });
    const pen = canvas.getContext('2d') as CanvasRenderingContext2D;
    pen.fillStyle = '#b4451f';
    pen.fillRect(0, 0, 320, 200);
    return canvas.toDataURL('image/png').split(',')[1] ?? '';
  });
  return { name, mimeType: 'image/png', buffer: Buffer.from(base64, 'base64') };
}

const tray = (page: Page) => page.locator('.plinth-tray');
const message = (page: Page) => page.getByRole('textbox', { name: 'Message', exact: true });
const send = (page: Page) => page.getByRole('button', { name: 'Send', exact: true });

async function choose(page: Page, ...files: Given[] | [path: string]): Promise<void> {
  const [chooser] = await Promise.all([
    page.waitForEvent('filechooser'),
    page.getByRole('button', { name: 'Attach files' }).click(),
  ]);
  await chooser.setFiles(files as Given[] | string[]);
}

/** Gives a file as the operating system does it, by a drop or by the clipboard. */
async function give(page: Page, how: 'drop' | 'paste', { name, mimeType, buffer }: Given): Promise<void> {
  const target = how === 'drop' ? page.locator('.plinth-composer-box') : message(page);
  await target.evaluate(
    (element, { how, name, mimeType, base64 }) => {
      const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
      const data = new DataTransfer();
      data.items.add(new File([bytes], name, { type: mimeType }));
      const options = { bubbles: true, cancelable: true };
      if (how === 'paste') {
        element.dispatchEvent(new ClipboardEvent('paste', { ...options, clipboardData: data }));
        return;
      }
      element.dispatchEvent(new DragEvent('dragover', { ...options, dataTransfer: data }));
      element.dispatchEvent(new DragEvent('drop', { ...options, dataTransfer: data }));
    },
    { how, name, mimeType, base64: buffer.toString('base64') },
  );
}

async function ready(page: Page, count: number): Promise<void> {
  await expect
    .poll(() => page.locator('.plinth-tray-item--ready').count(), { timeout: CHANGE_MS })
    .toBe(count);
}

it('files come by the button, a drop and the clipboard, go with the message, and are there after a reload', async () => {
  const { visitor, studio } = inStudio();
  const page = await (await visitor()).tab();
  const [dropped, pasted] = [await aPicture(page, 'wall.png'), await aPicture(page, 'shot.png')];
  await choose(page, TEXT, ARCHIVE);
  await give(page, 'drop', dropped);
  await give(page, 'paste', pasted);
  await ready(page, 4);
  await look(page, 'attachments-tray');
  await expectAccessible(page, 'files in the composer');
  await message(page).fill('Use these');
  await page.getByRole('button', { name: 'Remove shot.png' }).click();
  await ready(page, 3);
  await send(page).click();
  await said(page, 'I have it, thank you.');
  expect(await tray(page).count()).toBe(0);

  await page.waitForURL(/thread=thr_/);
  await page.reload();
  const sent = page.getByRole('list', { name: 'Attachments' });
  await sent.getByText('notes.txt').waitFor({ timeout: CHANGE_MS });
  await sent.getByText('old.zip').waitFor();
  const picture = sent.getByRole('img', { name: 'wall.png' });
  await expect.poll(() => picture.evaluate((one: HTMLImageElement) => one.naturalWidth)).toBe(320);
  expect(await sent.getByText('shot.png').count()).toBe(0);
  await look(page, 'attachments-sent');
  await expectAccessible(page, 'a message with files');

  const { raw } = studio.sim.requests.at(-1) ?? { raw: '' };
  expect(raw).toContain('image_url');
  expect(raw).toContain('notes.txt');
  expect(raw).toContain('old.zip');
});

it('an upload that breaks off is tried again, and the message waits for it', async () => {
  const { visitor } = inStudio();
  const page = await (await visitor()).tab();
  let refused = 0;
  await page.route('**/v1/uploads**', async (route) => {
    refused += 1;
    if (refused === 1) await route.abort('connectionreset');
    else await route.continue();
  });
  await message(page).fill('Listen to this');
  await choose(page, { name: 'call.wav', mimeType: 'audio/wav', buffer: aTone(1) });
  await tray(page).getByText('Could not be uploaded.').waitFor();
  await page.getByText('Before you send, remove the files').waitFor();
  expect(await send(page).isDisabled()).toBe(true);
  await look(page, 'attachments-failed');
  await expectAccessible(page, 'an upload that failed');
  await tray(page).getByRole('button', { name: 'Try again' }).click();
  await ready(page, 1);
  await message(page).press('Enter');
  await page.getByRole('list', { name: 'Attachments' }).getByText('call.wav').waitFor();
  await said(page, 'I have it, thank you.');
});

it('what is too large, empty or one too many says so, and the rest is sent without it', async () => {
  const { visitor } = inStudio();
  const page = await (await visitor()).tab();
  await page.setViewportSize({ width: 390, height: 844 });
  const folder = await mkdtemp(join(tmpdir(), 'plinth-large-'));
  await writeFile(join(folder, 'film.bin'), Buffer.alloc(33 * MIB, 7));
  await choose(page, join(folder, 'film.bin'));
  await tray(page).getByText('This file is too large.').waitFor({ timeout: CHANGE_MS });
  await rm(folder, { recursive: true });
  await choose(page, { ...TEXT, name: 'nothing.txt', buffer: Buffer.alloc(0) });
  await tray(page).getByText('This file is empty.').waitFor();
  const many = Array.from({ length: 9 }, (_, index) => ({
    ...TEXT,
    name: `a note with quite a long name, number ${index + 1}.txt`,
  }));
  await choose(page, ...many);
  await tray(page).getByText('A message takes 10 files at most. Remove this one.').waitFor();
  await ready(page, 8);
  await look(page, 'attachments-refused-narrow');
  expect(await tooWide(page)).toEqual([]);
  await expectAccessible(page, 'files that are refused');
  expect(await send(page).isDisabled()).toBe(true);
  for (const name of ['film.bin', 'nothing.txt', many[8]?.name])
    await page.getByRole('button', { name: `Remove ${name}` }).click();
  await send(page).click();
  await said(page, 'I have it, thank you.');
  await expect
    .poll(() => page.getByRole('list', { name: 'Attachments' }).getByRole('listitem').count())
    .toBe(8);
});
