import type { BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, inject } from 'vitest';
import { type Studio, startStudio } from './start-studio.js';
import { type VisitorOptions, withChromium } from './with-chromium.js';

export interface InStudio {
  readonly studio: Studio;
  /** A person with a browser of their own: cookies are kept between their tabs, and shared with nobody. */
  visitor(options?: VisitorOptions): Promise<Visitor>;
}

export interface Visitor {
  readonly context: BrowserContext;
  /** Without an address: the studio's page. */
  tab(url?: string): Promise<Page>;
}

/** Poster studio and a real Chromium for all tests of a file. */
export function withStudio(latency?: { firstTokenMs: number; perChunkMs: number }): () => InStudio {
  let studio: Studio;
  const inChromium = withChromium();
  beforeAll(async () => {
    studio = await startStudio(inject('plinth'), latency);
  }, 240_000);
  afterAll(() => studio?.close());
  return () => ({
    studio,
    async visitor(options) {
      const { context, tab } = await inChromium().visitor(options);
      return { context, tab: (url = studio.pageUrl) => tab(url) };
    },
  });
}
