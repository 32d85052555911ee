import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { ROOT } from '@plinth/testkit/system';
import type { BrowserContext, Page } from 'playwright-core';

/**
 * A host page with one frontend tool, on the built client as it is shipped. What its handler does is kept in the
 * browser's storage, which all tabs of a person share: how often it was begun, and whether it may end.
 */
const HTML = `<!doctype html><title>Editor</title><script type="importmap">
{"imports": {"@plinth/client": "/host/client/index.js", "eventsource-parser": "/host/eventsource-parser.js"}}
</script><script type="module">
import { createPlinth } from '@plinth/client';
const query = new URLSearchParams(location.search);
const mayEnd = () => new Promise((resolve) => {
  if (localStorage.mayEnd) return resolve();
  addEventListener('storage', ({ key }) => key === 'mayEnd' && resolve());
});
const editor = async ({ file }) => {
  localStorage.begun = Number(localStorage.begun ?? 0) + 1;
  document.title = 'Editing';
  await mayEnd();
  return { edited: file };
};
const plinth = createPlinth({ baseUrl: '', auth: () => query.get('token'), frontendTools: { editor } });
const session = plinth.thread(query.get('thread'));
session.subscribe(() => {
  document.body.dataset.status = session.getSnapshot().messages.at(-1)?.view?.status ?? '';
});
</script><body></body>`;

const CLIENT = `${ROOT}packages/client/`;
const parserPath = () =>
  createRequire(`${CLIENT}package.json`)
    .resolve('eventsource-parser')
    .replace(/\.cjs$/, '.js');

async function serve(path: string): Promise<{ contentType: string; body: string }> {
  if (path === '/host/') return { contentType: 'text/html', body: HTML };
  const file = path.startsWith('/host/client/') ? `${CLIENT}dist/${path.slice(13)}` : parserPath();
  return { contentType: 'text/javascript', body: await readFile(file, 'utf8') };
}

/** Serves the host page to the tabs of this person, at the platform's own origin. */
export async function hostPage(context: BrowserContext, origin: string): Promise<void> {
  await context.route(`${origin}/host/**`, async (route) => {
    await route.fulfill(await serve(new URL(route.request().url()).pathname));
  });
}

export const stored = (page: Page, name: 'begun' | 'mayEnd'): Promise<string | null> =>
  page.evaluate((key) => localStorage.getItem(key), name);
