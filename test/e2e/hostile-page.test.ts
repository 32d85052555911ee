import { scripted } from '@plinth/model-sim';
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { expectAccessible } from './support/axe.js';
import { CHANGE_MS } from './support/document-steps.js';
import { type FileHost, startFileHost } from './support/file-host.js';
import { look } from './support/look.js';
import { ask } from './support/poster-steps.js';
import { withStudio } from './support/with-studio.js';

const inStudio = withStudio();
/** What the browser tells of the ways that it has closed. */
const expected = /Content Security Policy|Unsafe attempt to initiate navigation|sandbox/i;

/** A page that tries every way out of its frame that needs no click, and some that do. */
const hostile = (outside: string) => `<!doctype html><title>Page</title>
<meta http-equiv="refresh" content="0;url=${outside}/refresh">
<base href="${outside}/base/">
<link rel="stylesheet" href="${outside}/style"><link rel="preload" as="image" href="${outside}/preload">
<link rel="preconnect" href="${outside}"><link rel="dns-prefetch" href="${outside}"><link rel="prefetch" href="${outside}/prefetch"><link rel="icon" href="${outside}/icon">
<style>@import url("${outside}/import"); h1 { color: rgb(1, 2, 3); background: url("${outside}/background") }
@font-face { font-family: f; src: url("${outside}/font") } h1 { font-family: f, serif }</style>
<h1>A page</h1><p id="script">no script</p>
<img src="${outside}/picture" srcset="${outside}/set 2x" onerror="parent.document.title = 'taken'">
<iframe src="${outside}/frame"></iframe><object data="${outside}/object"></object><embed src="${outside}/embed">
<video src="${outside}/video" poster="${outside}/poster" autoplay></video><audio src="${outside}/audio" autoplay></audio>
<svg><image href="${outside}/svg" /><use href="${outside}/use#a" /></svg>
<form action="${outside}/form" id="form"><button>Send</button></form>
<a id="top" href="${outside}/top" target="_top">Top</a> <a id="blank" href="${outside}/blank" target="_blank">New</a>
<a id="script-link" href="javascript:parent.document.title='taken'">Script</a>
<a id="link" href="${outside}/link">Link</a> <a id="saved" href="${outside}/saved" download>Save</a>
<script>document.getElementById('script').textContent = 'a script'; fetch('${outside}/script');
parent.document.title = 'taken'; document.cookie = 'taken=1'; navigator.sendBeacon('${outside}/beacon');</script>`;

/** The model writes the page, and it opens by itself. */
async function withPage(page: Page, content: string) {
  const calls = [{ name: 'write_document', arguments: { title: 'page.html', content } }];
  inStudio().studio.sim.setScenarios([scripted([{ toolCalls: calls }, { text: 'All there.' }])]);
  await ask(page, 'Write it');
  const frame = page.frameLocator('.plinth-frame');
  await frame.getByRole('heading', { name: 'A page' }).waitFor({ timeout: CHANGE_MS });
  return frame;
}

async function outsideOf(run: (host: FileHost) => Promise<void>): Promise<void> {
  const host = await startFileHost();
  try {
    await run(host);
  } finally {
    await host.close();
  }
}

it('a page that the model wrote runs nothing, and reaches neither this page, its cookies, its storage nor the network', async () => {
  await outsideOf(async (host) => {
    const { context, tab } = await inStudio().visitor({ expected });
    const page = await tab();
    await context.addCookies([{ name: 'readable', value: 'yes', url: inStudio().studio.pageUrl }]);
    expect(await page.evaluate(() => document.cookie)).toContain('readable=yes');
    const frame = await withPage(page, hostile(host.url));
    await look(page, 'hostile-page');
    expect(await frame.locator('#script').textContent()).toBe('no script');
    expect(await frame.locator('h1').evaluate((one) => getComputedStyle(one).color)).toBe('rgb(1, 2, 3)');
    const reached = await frame.locator('h1').evaluate(async (_one, outside) => {
      const attempt = async (name: string, run: () => unknown) => {
        try {
          return `${name}: ${String(await run())}`;
        } catch (error) {
          return `${name}: ${(error as Error).name}`;
        }
      };
      return {
        origin: self.origin,
        ways: await Promise.all([
          attempt('cookie', () => document.cookie),
          attempt('storage', () => localStorage.length),
          attempt('parent', () => parent.document.title),
          attempt('fetch', () => fetch(`${outside}/fetch`)),
          attempt('api', () => fetch('/v1/threads')),
        ]),
      };
    }, host.url);
    expect(reached).toEqual({
      origin: 'null',
      ways: [
        'cookie: SecurityError',
        'storage: SecurityError',
        'parent: SecurityError',
        'fetch: TypeError',
        'api: TypeError',
      ],
    });
    expect(host.asked).toEqual([]);

    await frame.getByRole('button', { name: 'Send' }).click();
    for (const id of ['top', 'blank', 'script-link', 'saved', 'link']) await frame.locator(`#${id}`).click();
    // The last one has left the document, which is back.
    await frame.getByRole('heading', { name: 'A page' }).waitFor();
    expect(context.pages()).toHaveLength(1);
    expect(await page.title()).toBe('Poster studio');
    expect(page.url()).toContain('/playground/');
    expect(host.asked).toEqual([]);
    expect(await page.evaluate(() => document.cookie)).not.toContain('taken');
  });
});

it('opened by its own address, beside this page, it has no more than there', async () => {
  await outsideOf(async (host) => {
    const { tab } = await inStudio().visitor({ expected });
    const page = await tab();
    await withPage(page, hostile(host.url));
    await expectAccessible(page, 'a page in its sandbox');
    const address = (await page.locator('.plinth-frame').getAttribute('src')) ?? '';
    const alone = await tab(new URL(address, page.url()).href);
    await alone.getByRole('heading', { name: 'A page' }).waitFor();
    expect(await alone.locator('#script').textContent()).toBe('no script');
    expect(await alone.evaluate(() => self.origin)).toBe('null');
    expect(host.asked).toEqual([]);
  });
});
