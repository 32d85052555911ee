import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { serviceOfAnotherProcess } from './left-behind.mjs';
import { startRedis } from './redis.mjs';

let dataDir;
let running;
const start = async () => {
  running = await startRedis({ dataDir, log: () => {} });
  return running.url;
};
async function ask(url, ...command) {
  const redis = new Redis(url, { maxRetriesPerRequest: 0, retryStrategy: () => null });
  redis.on('error', () => {});
  try {
    return await redis.call(...command);
  } finally {
    redis.disconnect();
  }
}

beforeEach(() => {
  running = undefined;
  dataDir = mkdtempSync(join(tmpdir(), 'plinth-services-'));
});
afterEach(async () => {
  await running?.stop();
  rmSync(dataDir, { recursive: true, force: true });
});

test('data is kept between two starts', async () => {
  await ask(await start(), 'SET', 'key', 'value');
  await running.stop();

  expect(await ask(await start(), 'GET', 'key')).toBe('value');
});

test('it never evicts, and writes to disk every second', async () => {
  const url = await start();

  expect(await ask(url, 'CONFIG', 'GET', 'maxmemory-policy')).toEqual(['maxmemory-policy', 'noeviction']);
  expect(await ask(url, 'CONFIG', 'GET', 'appendonly')).toEqual(['appendonly', 'yes']);
  expect(await ask(url, 'CONFIG', 'GET', 'bind')).toEqual(['bind', '127.0.0.1']);
});

test('nobody gets in without the password', async () => {
  const { port } = new URL(await start());

  await expect(ask(`redis://127.0.0.1:${port}`, 'GET', 'key')).rejects.toThrow(/NOAUTH/);
});

test('the Redis of an owner that was killed is ended and its data taken over', async () => {
  const left = await serviceOfAnotherProcess('./redis.mjs', 'startRedis', dataDir);
  await ask(left.url, 'SET', 'key', 'value');
  await left.kill();

  expect(await ask(await start(), 'GET', 'key')).toBe('value');
  await expect(ask(left.url, 'PING')).rejects.toThrow();
});
