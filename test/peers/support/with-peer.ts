import { scripted } from '@plinth/model-sim';
import type { JsonObject } from '@plinth/protocol';
import { createTestDatabase, createTestRedis } from '@plinth/testkit';
import { type PlinthUnderTest, startPlinth } from '@plinth/testkit/system';
import { type Browser, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, inject } from 'vitest';
import { type ServedPage, servePage } from '../../support/serve-page.js';
import { buildPeer } from './build-peer.js';

/** Milliseconds for the first time, when everything comes from the registry. */
const SETUP_MS = 600_000;

const object = (properties: JsonObject): JsonObject => ({
  type: 'object',
  properties,
  required: Object.keys(properties),
  additionalProperties: false,
});

const tools = (jobs: string): JsonObject[] => [
  {
    key: 'read',
    title: 'Read the page',
    description: 'Reads the title of the page.',
    parameters: object({ what: { type: 'string' } }),
    executor: { kind: 'frontend', handler: 'reader' },
  },
  {
    key: 'pay',
    title: 'Pay',
    description: 'Pays.',
    parameters: object({ amount: { type: 'number' } }),
    executor: { kind: 'remote', url: `${jobs}/pay` },
    requireConfirmation: 'always',
  },
  {
    key: 'ask',
    title: 'Ask',
    description: 'Asks the person.',
    parameters: object({ question: { type: 'string' } }),
    executor: { kind: 'component', component: 'Ask', submit: object({ answer: { type: 'string' } }) },
  },
];

type Step = Parameters<typeof scripted>[0][number];

/** A client's page in a real browser, and a whole Plinth behind it. */
export interface PeerUnderTest {
  readonly plinth: PlinthUnderTest;
  /** What the model says from now on, a step a request. */
  script(...steps: Step[]): void;
  /** Opens the page for a person, at a conversation of a name of its own or of this one. */
  open(thread?: string): Promise<OpenPage>;
}

export interface OpenPage {
  readonly page: Page;
  readonly thread: string;
  /** Errors of the page and of its console. */
  readonly complaints: string[];
}

/** @param name a folder in `test/peers` */
export function withPeer(name: string): () => PeerUnderTest {
  let peer: PeerUnderTest;
  const closers: (() => Promise<unknown>)[] = [];

  beforeAll(async () => {
    const provided = inject('plinth');
    if (provided.chromium === null)
      throw new Error('There is no Chromium. Install it, or set PLINTH_CHROMIUM.');
    const built = await buildPeer(name);
    closers.unshift(() => built.remove());
    const database = await createTestDatabase(provided);
    closers.unshift(() => database.drop());
    const redis = await createTestRedis(provided);
    closers.unshift(() => redis.drop());
    const plinth = await startPlinth({
      topology: 'single',
      appUrl: database.appUrl,
      redisUrl: redis.url,
      business: (jobs) => ({ key: 'acme', tools: tools(jobs) }),
    });
    closers.unshift(() => plinth.close());
    const served = await servePage(built.folder, plinth.url);
    closers.unshift(() => served.close());
    const browser = await chromium.launch({
      executablePath: provided.chromium,
      args: ['--headless', '--no-sandbox', '--disable-gpu'],
    });
    closers.unshift(() => browser.close());
    peer = {
      plinth,
      script: (...steps) => plinth.sim.setScenarios([scripted(steps)]),
      open: (thread = crypto.randomUUID()) => openPage({ plinth, served, browser, thread }),
    };
  }, SETUP_MS);
  afterAll(async () => {
    for (const close of closers) await close();
  }, SETUP_MS);
  return () => peer;
}

interface Opening {
  plinth: PlinthUnderTest;
  served: ServedPage;
  browser: Browser;
  thread: string;
}

async function openPage({ plinth, served, browser, thread }: Opening): Promise<OpenPage> {
  const { credential } = await plinth.session('ada');
  const page = await browser.newPage();
  const complaints: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error' && !message.location().url.endsWith('favicon.ico'))
      complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(String(error)));
  await page.goto(`${served.url}/?token=${credential}&thread=${thread}`);
  return { page, thread, complaints };
}
