import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ModelSim, startModelSim } from '@plinth/model-sim';
import type { SessionTokenResponse } from '@plinth/protocol';
import { ApiClient } from './api-client.js';
import { freePort } from './free-port.js';
import { JobService } from './job-service.js';
import { startRoundRobin } from './round-robin-proxy.js';
import { type BusinessSpec, seedBusiness } from './seed-business.js';
import { ServerProcess } from './server-process.js';

/** `single`: one process does all. `cluster`: two API and two worker processes behind a proxy without sticky sessions. */
export type Topology = 'single' | 'cluster';

export interface PlinthOptions {
  topology: Topology;
  appUrl: string;
  redisUrl: string;
  /** Made with the URL of the test's job service. */
  business: (jobs: string) => BusinessSpec;
  environment?: Record<string, string>;
  /** Worker processes of a cluster. Default 2. */
  workers?: number;
  /** Gets every process before it is started, to listen to what it says. */
  watch?: (server: ServerProcess) => void;
}

/** A whole Plinth of real processes, with a simulated model and a job service, under the test's control. */
export interface PlinthUnderTest {
  readonly url: string;
  readonly topology: Topology;
  readonly servers: readonly ServerProcess[];
  /** The processes that advance runs. */
  readonly workers: readonly ServerProcess[];
  readonly apis: readonly ServerProcess[];
  readonly sim: ModelSim;
  readonly jobs: JobService;
  /** The business's back end. */
  readonly backend: ApiClient;
  /** A person's session, by default through the proxy. */
  session(endUserId?: string, url?: string): Promise<ApiClient>;
  /** A client with this credential. */
  as(credential: string): ApiClient;
  /** One more tenant on the same platform, or a new version of one that is there (by its key). Its back end. */
  addBusiness(spec: BusinessSpec): Promise<ApiClient>;
  /** The value of a metric, summed over all processes. */
  metric(name: string, labels?: Record<string, string>): Promise<number>;
  close(): Promise<void>;
}

const SECRET = 'k7Jp2vQx9ZrT4mWb8NcY6sLf3HdGa5Ue1RiOoPtXzVw';

export async function startPlinth(options: PlinthOptions): Promise<PlinthUnderTest> {
  const { topology, appUrl, redisUrl, workers: workerCount = 2 } = options;
  const [sim, jobs, dataDir] = await Promise.all([
    startModelSim({ scenarios: [] }),
    JobService.start(),
    mkdtemp(join(tmpdir(), 'plinth-data-')),
  ]);
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const secrets = { DATABASE_APP_URL: appUrl, PLINTH_SECRET: SECRET };
  const environment = {
    ...secrets,
    REDIS_URL: redisUrl,
    PLINTH_DATA_DIR: dataDir,
    PLINTH_PUBLIC_URL: url,
    OPENAI_BASE_URL: sim.url,
    OPENAI_API_KEY: 'test',
    // The job service and other peers of a test listen on loopback.
    PLINTH_OUTBOUND_ALLOW: '127.0.0.1',
    PLINTH_LOG_LEVEL: 'warn',
    ...options.environment,
  };
  const make = async (role: 'api' | 'worker') => new ServerProcess(await freePort(), role, environment);
  const apis =
    topology === 'single'
      ? [new ServerProcess(port, 'all', environment)]
      : [await make('api'), await make('api')];
  const workers =
    topology === 'single'
      ? apis
      : await Promise.all(Array.from({ length: workerCount }, () => make('worker')));
  const servers = [...new Set([...apis, ...workers])];
  for (const server of servers) options.watch?.(server);

  const key = await seedBusiness(options.business(jobs.url), secrets);
  await Promise.all(servers.map((server) => server.start())).catch(async (error: unknown) => {
    // One that does not come up must not leave the others behind.
    await Promise.all([...servers.map((server) => server.stop('SIGKILL')), sim.close(), jobs.close()]);
    await rm(dataDir, { recursive: true, force: true });
    throw error;
  });
  const proxy =
    topology === 'single'
      ? null
      : await startRoundRobin(
          port,
          apis.map((api) => api.url),
        );
  const backend = new ApiClient(url, key);
  return {
    url,
    topology,
    servers,
    workers,
    apis,
    sim,
    jobs,
    backend,
    async session(endUserId = 'ada', at = url) {
      const minted = await backend.call<SessionTokenResponse>('POST', '/v1/session-tokens', {
        endUserId,
        ttlSeconds: 3600,
      });
      return new ApiClient(at, minted.token);
    },
    as: (credential) => new ApiClient(url, credential),
    async addBusiness(spec) {
      return new ApiClient(url, await seedBusiness(spec, secrets));
    },
    async metric(name, labels = {}) {
      const pages = await Promise.all(
        servers
          .filter(({ pid }) => pid !== undefined)
          .map(({ url: at }) => fetch(`${at}/metrics`).then((r) => r.text())),
      );
      return pages.reduce((sum, page) => sum + sumOf(page, name, labels), 0);
    },
    async close() {
      await Promise.all(servers.map((server) => server.stop('SIGTERM')));
      await Promise.all([proxy?.close(), sim.close(), jobs.close()]);
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

/** Adds up the samples of a Prometheus page that have this name and these labels. */
function sumOf(page: string, name: string, labels: Record<string, string>): number {
  const wanted = Object.entries(labels).map(([label, value]) => `${label}="${value}"`);
  return page
    .split('\n')
    .filter((line) => line.startsWith(`${name}{`) || line.startsWith(`${name} `))
    .filter((line) => wanted.every((pair) => line.includes(pair)))
    .reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(' ') + 1)), 0);
}
