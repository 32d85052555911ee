/**
 * A page with the chat as a CDN serves it, in a real Chromium whose main thread is slowed down. The page measures what a
 * person would notice: frames that took long, and the time between frames.
 */
import { readFile } from 'node:fs/promises';
import { ROOT } from '@plinth/testkit/system';
import { chromium } from 'playwright-core';
import { ensureChromium } from '../../../scripts/services/chromium.mjs';
import { tasksOf } from './main-thread.mjs';

const FLAGS =
  '--headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking --disable-component-update --disable-sync';
const TRACED = ['devtools.timeline', 'disabled-by-default-devtools.timeline', 'toplevel', 'v8', '__metadata'];
const HTML = `<!doctype html><meta charset="utf-8"><title>Bench</title>
<link rel="stylesheet" href="plinth.css"><style>body { margin: 0 } plinth-chat { display: block; height: 100dvh }</style>
<script src="plinth.global.js"></script><plinth-chat base-url="" agent="tester"></plinth-chat>
<script>
const chat = document.querySelector('plinth-chat');
const page = new URLSearchParams(location.search);
chat.setAttribute('thread', page.get('thread'));
chat.auth = () => page.get('token');
</script>`;
const FILES = {
  '/bench/': ['text/html', async () => HTML],
  '/bench/plinth.css': ['text/css', () => built('plinth.css')],
  '/bench/plinth.global.js': ['text/javascript', () => built('plinth.global.js')],
};
const built = (name) => readFile(`${ROOT}packages/react/dist/cdn/${name}`, 'utf8');

export async function startBrowser() {
  const executablePath = await ensureChromium();
  if (typeof executablePath !== 'string') throw new Error(`There is ${executablePath.missing}.`);
  return chromium.launch({ executablePath, args: FLAGS.split(' ') });
}

/** Shows a thread to the person with this token. */
export async function openSlowPage(browser, { origin, threadId, token, slowdown }) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 860 } });
  await context.route(`${origin}/bench/**`, async (route) => {
    const [contentType, body] = FILES[new URL(route.request().url()).pathname];
    await route.fulfill({ contentType, body: await body() });
  });
  const page = await context.newPage();
  const devtools = await context.newCDPSession(page);
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: slowdown });
  await page.addInitScript(watchFrames);
  const address = `${origin}/bench/?thread=${threadId}&token=${token}`;
  return {
    /** Loads the page, and everything in it is measured. */
    load: () => page.goto(address),
    /** Until the last answer ends with this paragraph. Looks seldom and at little, so as not to be measured itself. */
    until: (text, timeout) => page.waitForFunction(endsWith, text, { polling: 200, timeout }),
    async measure(work) {
      await browser.startTracing(page, { categories: TRACED });
      await page.evaluate(() => window.frames_.begin()).catch(() => {});
      await work();
      const frames = await page.evaluate(() => window.frames_.end());
      const trace = JSON.parse((await browser.stopTracing()).toString());
      return { ...frames, tasks: tasksOf(trace) };
    },
    close: () => context.close(),
  };
}

/** Runs in the page. */
function endsWith(text) {
  const last = [...document.querySelectorAll('.plinth-markdown')].at(-1)?.lastElementChild;
  return last?.tagName === 'P' && last.textContent === text;
}

/** Runs in the page. */
function watchFrames() {
  let slow = [];
  let gaps = [];
  let last = performance.now();
  new PerformanceObserver((list) => {
    for (const { duration, blockingDuration, scripts } of list.getEntries())
      slow.push({ ms: duration, blockingMs: blockingDuration, scripts: scripts.length });
  }).observe({ type: 'long-animation-frame', buffered: true });
  const frame = (now) => {
    gaps.push(now - last);
    last = now;
    requestAnimationFrame(frame);
  };
  requestAnimationFrame(frame);
  window.frames_ = {
    begin() {
      slow = [];
      gaps = [];
    },
    end: () => ({ slow, gaps }),
  };
}
