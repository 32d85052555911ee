import { type Reply, scripted } from '@plinth/model-sim';
import type { JsonObject, SessionTokenResponse } from '@plinth/protocol';
import { createTestDatabase, createTestRedis } from '@plinth/testkit';
import { ApiClient, type PlinthUnderTest, startPlinth, type Topology } from '@plinth/testkit/system';
import type { BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, inject } from 'vitest';
import { buildHostPage, type HostFiles, serveHostPage } from './host-page.js';
import { withChromium } from './with-chromium.js';

export interface Person {
  readonly api: ApiClient;
  readonly context: BrowserContext;
  /** How often the page asked its back end for a token, and what for. */
  readonly tokens: { refresh: boolean }[];
  /** The host's page with these threads to switch between. */
  tab(...threadIds: string[]): Promise<Page>;
}

export interface OnHostPage {
  readonly plinth: PlinthUnderTest;
  /** The model's answers, one a turn. */
  script(...steps: Reply[]): void;
  /** The bodies of the requests to the model since the script was set. */
  requests(): string[];
  /** @param firstTokenSeconds how long the page's first token is good for */
  person(firstTokenSeconds?: number): Promise<Person>;
}

/** Milliseconds for one case on a machine that runs several suites at once. */
const PATIENT_MS = 180_000;
const TOKEN_SECONDS = 900;

/**
 * Runs a case in a real Chromium with a host's page, on one process, and on two API and two worker processes behind a
 * proxy without sticky sessions.
 */
export function onHostPage(
  name: string,
  tools: (jobs: string) => JsonObject[],
  define: (use: () => OnHostPage, topology: Topology) => void,
): void {
  describe.each<Topology>(['single', 'cluster'])(`${name} (%s)`, { timeout: PATIENT_MS }, (topology) => {
    const chromium = withChromium();
    let files: HostFiles;
    let plinth: PlinthUnderTest;
    let close = async () => {};
    beforeAll(async () => {
      [files, { plinth, close }] = await Promise.all([buildHostPage(), start(topology, tools)]);
    }, PATIENT_MS);
    beforeEach(() => {
      plinth.sim.setLatency({ firstTokenMs: 0, perChunkMs: 0 });
      plinth.jobs.react = async () => ({ status: 202, body: { accepted: true } });
    });
    afterAll(() => close(), PATIENT_MS);

    async function person(firstTokenSeconds = TOKEN_SECONDS): Promise<Person> {
      const { context, tab } = await chromium().visitor();
      const tokens: { refresh: boolean }[] = [];
      const mint = async (ttlSeconds: number) => {
        const body = { endUserId: 'ada', ttlSeconds };
        return plinth.backend.call<SessionTokenResponse>('POST', '/v1/session-tokens', body);
      };
      await serveHostPage(context, plinth.url, files, async (refresh) => {
        tokens.push({ refresh });
        return (await mint(refresh ? TOKEN_SECONDS : firstTokenSeconds)).token;
      });
      return {
        api: new ApiClient(plinth.url, (await mint(TOKEN_SECONDS)).token),
        context,
        tokens,
        tab: (...threadIds) => tab(`${plinth.url}/host/?${threadIds.map((id) => `thread=${id}`).join('&')}`),
      };
    }
    define(
      () => ({
        plinth,
        person,
        script(...steps) {
          plinth.sim.setScenarios([scripted(steps)]);
          plinth.sim.clearRequests();
        },
        requests: () => plinth.sim.requests.map(({ raw }) => raw),
      }),
      topology,
    );
  });
}

async function start(topology: Topology, tools: (jobs: string) => JsonObject[]) {
  const services = inject('plinth');
  const [database, stores] = await Promise.all([createTestDatabase(services), createTestRedis(services)]);
  const plinth = await startPlinth({
    topology,
    appUrl: database.appUrl,
    redisUrl: stores.url,
    business: (jobs) => ({ key: 'acme', tools: tools(jobs) }),
  });
  return {
    plinth,
    async close() {
      await plinth.close();
      await Promise.all([stores.drop(), database.drop()]);
    },
  };
}
