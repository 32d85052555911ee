import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Redis } from 'ioredis';

interface Running {
  url: string;
  stop(): Promise<void>;
}
type Start = (options: { dataDir: string; log: (line: string) => void; port?: number }) => Promise<Running>;

const scripts = new URL('../../../scripts/', import.meta.url);

/** A durable Redis of its own, which can be stopped, killed and set back, and comes back at its address. */
export async function startOwnRedis() {
  const { startRedis } = (await import(new URL('services/redis.mjs', scripts).href)) as { startRedis: Start };
  const { TEST_DIRECTORY_PREFIX } = (await import(new URL('testing/leftovers.mjs', scripts).href)) as {
    TEST_DIRECTORY_PREFIX: string;
  };
  const directory = mkdtempSync(join(tmpdir(), TEST_DIRECTORY_PREFIX));
  const dataDir = join(directory, 'redis');
  const files = join(dataDir, 'appendonlydir');
  const copy = join(directory, 'copy');
  const log = () => {};
  let running = await startRedis({ dataDir, log });
  const { url } = running;
  const signal = (name: NodeJS.Signals) => {
    const claim = JSON.parse(readFileSync(join(dataDir, 'claim.json'), 'utf8')) as {
      service: { pid: number };
    };
    process.kill(claim.service.pid, name);
  };
  const again = async () => {
    running = await startRedis({ dataDir, log, port: Number(new URL(url).port) });
  };
  return {
    url,
    signal,
    async restart() {
      await running.stop();
      await again();
    },
    /** Keeps what it has now, for `comeBackOlder`. */
    keepFiles: () => cpSync(files, copy, { recursive: true }),
    async comeBackOlder() {
      signal('SIGKILL');
      await running.stop();
      rmSync(files, { recursive: true });
      cpSync(copy, files, { recursive: true });
      await again();
    },
    async close() {
      await running.stop();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

/** Makes one a copy of the other, and waits until it is. */
export async function follow(replica: Redis, masterUrl: string): Promise<void> {
  const { hostname, port, password } = new URL(masterUrl);
  await replica.config('SET', 'masterauth', password);
  await replica.replicaof(hostname, port);
  for (;;) {
    const state = await replica.info('replication');
    if (state.includes('master_link_status:up') && state.includes('master_sync_in_progress:0')) return;
  }
}
