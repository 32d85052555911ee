import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { withConnection } from '../database/connection.mjs';
import { isAlive } from '../lib/processes.mjs';
import { serviceOfAnotherProcess } from './left-behind.mjs';
import { startPostgres } from './postgres.mjs';

let dataDir;
let running;
const start = async () => {
  running = await startPostgres({ dataDir, log: () => {} });
  return running.url;
};
const query = (url, sql) => withConnection(url, async (client) => (await client.query(sql)).rows);
const serverPid = () => Number.parseInt(readFileSync(join(dataDir, 'cluster/postmaster.pid'), 'utf8'), 10);

beforeEach(() => {
  running = undefined;
  dataDir = mkdtempSync(join(tmpdir(), 'plinth-services-'));
});
afterEach(async () => {
  await running?.stop();
  rmSync(dataDir, { recursive: true, force: true });
});

test('data is kept between two starts, and writes are durable', async () => {
  await query(await start(), "CREATE TABLE kept AS SELECT '茶' AS word");
  await running.stop();
  const url = await start();

  expect(await query(url, 'SELECT word FROM kept')).toEqual([{ word: '茶' }]);
  const settings = "SELECT string_agg(setting, ' ' ORDER BY name) AS all FROM pg_settings WHERE name IN ";
  expect(await query(url, `${settings} ('fsync', 'listen_addresses', 'synchronous_commit')`)).toEqual([
    { all: 'on 127.0.0.1 on' },
  ]);
});

test('the Postgres of an owner that was killed is ended and its data taken over', async () => {
  const left = await serviceOfAnotherProcess('./postgres.mjs', 'startPostgres', dataDir);
  await query(left.url, 'CREATE TABLE kept (id int)');
  const orphan = serverPid();
  await left.kill();
  expect(isAlive(orphan)).toBe(true);

  expect(await query(await start(), 'SELECT * FROM kept')).toEqual([]);
  expect(isAlive(orphan)).toBe(false);
});

test('owner and Postgres both killed: the next start recovers what was committed', async () => {
  const left = await serviceOfAnotherProcess('./postgres.mjs', 'startPostgres', dataDir);
  await query(left.url, 'CREATE TABLE kept (id int)');
  process.kill(serverPid(), 'SIGKILL');
  await left.kill();

  expect(await query(await start(), 'SELECT * FROM kept')).toEqual([]);
});

test('a second owner is refused while the first one lives', async () => {
  const other = await serviceOfAnotherProcess('./postgres.mjs', 'startPostgres', dataDir);

  await expect(start()).rejects.toThrow(/in use by process/);
  expect(await query(other.url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
  await other.kill();
  await start();
});
