/**
 * The services of one test run: a private Postgres and Redis on ports of their own, in a temporary directory,
 * and one migrated template database from which tests clone theirs.
 *
 * `TEST_DATABASE_URL` and `TEST_REDIS_URL` name servers kept for tests instead. Databases that exist there
 * are left alone; the password of the role plinth_app is set to the tests' own.
 */
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensureAppRole } from '../database/app-role.mjs';
import { applyMigrations } from '../database/apply-migrations.mjs';
import { urlOfDatabase, withConnection } from '../database/connection.mjs';
import { startPostgres } from '../services/postgres.mjs';
import { startRedis } from '../services/redis.mjs';
import { clearLeftovers, TEST_DIRECTORY_PREFIX } from './leftovers.mjs';

const APP_PASSWORD = 'plinth-test';

/** Returns `{ provided, stop() }`; `provided` is what tests read with `inject('plinth')`. */
export async function startTestServices({ log }) {
  await clearLeftovers();
  const directory = mkdtempSync(join(tmpdir(), TEST_DIRECTORY_PREFIX));
  const start = (service, name) => service({ dataDir: join(directory, name), log, durable: false });
  const given = (url) => ({ url, stop: async () => {} });
  const { TEST_DATABASE_URL, TEST_REDIS_URL } = process.env;
  const postgres = TEST_DATABASE_URL ? given(TEST_DATABASE_URL) : await start(startPostgres, 'postgres');
  const redis = TEST_REDIS_URL ? given(TEST_REDIS_URL) : await start(startRedis, 'redis');

  const templateDatabase = `plinth_template_${randomBytes(4).toString('hex')}`;
  const onServer = (sql) => withConnection(postgres.url, (client) => client.query(sql));
  await onServer(`CREATE DATABASE ${templateDatabase}`);
  const adminUrl = urlOfDatabase(postgres.url, templateDatabase);
  const appUrl = await ensureAppRole({ adminUrl, password: APP_PASSWORD });
  await applyMigrations({ adminUrl, log });
  return {
    provided: {
      adminUrl: postgres.url,
      appUrl,
      redisUrl: redis.url,
      redisDatabases: TEST_REDIS_URL ? 16 : 1024,
      templateDatabase,
    },
    async stop() {
      await onServer(`DROP DATABASE IF EXISTS ${templateDatabase} WITH (FORCE)`);
      await Promise.all([postgres.stop(), redis.stop()]);
      rmSync(directory, { recursive: true, force: true });
    },
  };
}
