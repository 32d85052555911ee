import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, inject } from 'vitest';

const FLAGS = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

export interface VisitorOptions {
  locale?: string;
  /** Complaints of the page's console that are what the test is about. */
  expected?: RegExp;
}

export interface InChromium {
  /** A person with a browser of their own: cookies are kept between their tabs, and shared with nobody. */
  visitor(options?: VisitorOptions): Promise<{ context: BrowserContext; tab(url: string): Promise<Page> }>;
}

/** A real Chromium for all tests of a file. A page that throws or logs an error fails its test. */
export function withChromium(): () => InChromium {
  let browser: Browser;
  const contexts: BrowserContext[] = [];
  const complaints: string[] = [];
  beforeAll(async () => {
    const { chromium: executablePath } = inject('plinth');
    if (executablePath === null)
      throw new Error('There is no Chromium. Install the package chromium, or set PLINTH_CHROMIUM.');
    browser = await chromium.launch({ executablePath, args: FLAGS });
  }, 240_000);
  afterEach(async () => {
    await Promise.all(contexts.splice(0).map((context) => context.close()));
    const heard = complaints.splice(0);
    if (heard.length > 0) throw new Error(`the page complained:\n${heard.join('\n')}`);
  });
  afterAll(() => browser?.close());
  return () => ({
    async visitor({ locale = 'en-GB', expected } = {}) {
      const context = await browser.newContext({ locale, viewport: { width: 1280, height: 860 } });
      contexts.push(context);
      return {
        context,
        async tab(url) {
          const page = await context.newPage();
          page.on('pageerror', (error) => complaints.push(String(error)));
          page.on('console', (message) => {
            // A server that is killed on purpose makes the browser itself report failed requests.
            // What a stranger's page is refused in its sandbox is told there.
            if (message.location().url.includes('/v1/artifacts/')) return;
            if (expected?.test(message.text())) return;
            if (message.type() === 'error' && !/Failed to load resource|ERR_/.test(message.text()))
              complaints.push(message.text());
          });
          await page.goto(url);
          return page;
        },
      };
    },
  });
}
