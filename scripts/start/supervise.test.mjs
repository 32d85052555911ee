import { afterEach, expect, test, vi } from 'vitest';
import { supervise } from './supervise.mjs';

let child;
afterEach(() => child?.stop());

function run(code, listener = {}) {
  child = supervise(
    { name: 'child', file: process.execPath, args: ['-e', code], env: process.env, cwd: process.cwd() },
    { onChange() {}, onGiveUp() {}, log() {}, firstPauseMs: 10, ...listener },
  );
  return child;
}

test('a child that is killed is started again, and it is said', async () => {
  const log = vi.fn();
  run('setInterval(() => {}, 1000)', { log });
  const first = child.pid();
  process.kill(first, 'SIGKILL');

  await vi.waitUntil(() => child.pid() && child.pid() !== first, { timeout: 4_000 });
  expect(log.mock.calls[0][0]).toMatch(/child was ended by SIGKILL; starting it again/);
});

test('a child that cannot live is given up after five times', async () => {
  const onGiveUp = vi.fn();
  run('process.exit(3)', { onGiveUp });

  await vi.waitUntil(() => onGiveUp.mock.calls.length > 0, { timeout: 4_000 });
  expect(onGiveUp.mock.calls[0][0]).toMatch(/ended with code 3, 5 times/);
});

test('a child that was asked to stop stays stopped', async () => {
  const log = vi.fn();
  run('setInterval(() => {}, 1000)', { log });
  await child.stop();

  expect(child.pid()).toBeUndefined();
  expect(log).not.toHaveBeenCalled();
});
