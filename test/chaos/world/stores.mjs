/**
 * A private and durable Postgres and Redis that can be stopped, killed and started again at the same address, and
 * a Redis that can come back with what it held some seconds ago.
 */
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { ensureAppRole } from '../../../scripts/database/app-role.mjs';
import { applyMigrations } from '../../../scripts/database/apply-migrations.mjs';
import { startPostgres } from '../../../scripts/services/postgres.mjs';
import { startRedis } from '../../../scripts/services/redis.mjs';
import { clearLeftovers, TEST_DIRECTORY_PREFIX } from '../../../scripts/testing/leftovers.mjs';

const START_ATTEMPTS = 5;

/** One store: what is running of it, and how to begin it again. */
class Store {
  #running = null;

  constructor(start, dataDir) {
    this.start = start;
    this.dataDir = dataDir;
  }

  get url() {
    return this.#running.url;
  }

  async open() {
    const log = () => {};
    const port = this.#running === null ? undefined : Number(new URL(this.url).port);
    for (let attempt = 1; ; attempt += 1) {
      try {
        this.#running = await this.start({ dataDir: this.dataDir, log, ...(port && { port }) });
        return;
      } catch (error) {
        // The port may be in use for a moment, by a connection of anybody.
        if (attempt === START_ATTEMPTS) throw error;
        await pause(500);
      }
    }
  }

  /** Ends it: in order, or at once as by a crash. `meanwhile` runs while it is down. */
  async restart({ crash = null, downMs = 0, meanwhile = () => {} }) {
    if (crash !== null) process.kill(this.#pid(), crash);
    await this.#running.stop();
    meanwhile();
    await pause(downMs);
    await this.open();
  }

  /** Holds it still: connections stay open and nothing is answered. */
  async freeze(frozenMs) {
    const pid = this.#pid();
    process.kill(pid, 'SIGSTOP');
    await pause(frozenMs);
    process.kill(pid, 'SIGCONT');
  }

  stop() {
    return this.#running?.stop();
  }

  #pid() {
    return JSON.parse(readFileSync(join(this.dataDir, 'claim.json'), 'utf8')).service.pid;
  }
}

export async function startStores() {
  await clearLeftovers();
  const directory = mkdtempSync(join(tmpdir(), TEST_DIRECTORY_PREFIX));
  const postgres = new Store(startPostgres, join(directory, 'postgres'));
  const redis = new Store(startRedis, join(directory, 'redis'));
  await Promise.all([postgres.open(), redis.open()]);
  const appUrl = await ensureAppRole({ adminUrl: postgres.url, password: 'chaos' });
  await applyMigrations({ adminUrl: postgres.url, log: () => {} });
  return {
    adminUrl: postgres.url,
    appUrl,
    redisUrl: redis.url,
    postgres,
    redis,
    async flushRedis() {
      const client = new Redis(redis.url, { lazyConnect: true, retryStrategy: () => null });
      client.on('error', () => {});
      try {
        await client.connect();
        await client.flushall();
      } finally {
        client.disconnect();
      }
    },
    /** Takes a copy of Redis' files now, and after `ageMs` puts it in the place of the newer ones. */
    async rollRedisBack(ageMs, downMs) {
      const files = ['appendonlydir', 'appendonly.aof'].filter((name) =>
        existsSync(join(redis.dataDir, name)),
      );
      const copy = mkdtempSync(join(directory, 'redis-copy-'));
      for (const name of files) cpSync(join(redis.dataDir, name), join(copy, name), { recursive: true });
      await pause(ageMs);
      const meanwhile = () => {
        for (const name of files) {
          rmSync(join(redis.dataDir, name), { recursive: true });
          cpSync(join(copy, name), join(redis.dataDir, name), { recursive: true });
        }
      };
      await redis.restart({ crash: 'SIGKILL', downMs, meanwhile });
      rmSync(copy, { recursive: true, force: true });
    },
    async stop() {
      await Promise.all([postgres.stop(), redis.stop()]);
      rmSync(directory, { recursive: true, force: true });
    },
  };
}
