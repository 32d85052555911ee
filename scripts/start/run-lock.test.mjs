import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { isAlive } from '../lib/processes.mjs';
import { takeRunLock } from './run-lock.mjs';

let dataDir;
const take = () => takeRunLock({ dataDir, role: 'all', port: 3000, log() {} });
const lockFile = () => join(dataDir, 'run-all.json');

beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'plinth-lock-'));
});
afterEach(() => rmSync(dataDir, { recursive: true, force: true }));

test('a second start on the same data is refused and told who runs', async () => {
  await take();

  await expect(take()).rejects.toThrow(`process ${process.pid}, port 3000`);
});

test('a released lock can be taken again', async () => {
  (await take()).release();

  await expect(take()).resolves.toBeDefined();
});

test('a number that belongs to another process by now does not count as running', async () => {
  writeFileSync(
    lockFile(),
    JSON.stringify({ owner: { pid: process.pid, startedAt: 'long ago' }, children: [] }),
  );

  await expect(take()).resolves.toBeDefined();
});

test('what a killed start left running is ended', async () => {
  const orphan = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' });
  (await take()).recordChildren([orphan.pid]);
  const lock = JSON.parse(readFileSync(lockFile(), 'utf8'));
  writeFileSync(lockFile(), JSON.stringify({ ...lock, owner: { pid: 1, startedAt: 'another' } }));
  const ended = once(orphan, 'exit');
  await take();
  await ended;

  expect(isAlive(orphan.pid)).toBe(false);
});
