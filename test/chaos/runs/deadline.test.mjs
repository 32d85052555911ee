import { setTimeout as pause } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, it, vi } from 'vitest';
import { deadline } from './deadline.mjs';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc');

it('aborts after its time, also when memory was cleared up in between', async () => {
  const { signal } = deadline(60, new AbortController().signal);
  await pause(0);
  collectGarbage();
  await vi.waitFor(() => expect(signal.aborted).toBe(true), 4_000);
});

it('aborts together with the other signal, and with its reason', () => {
  const other = new AbortController();
  const { signal, release } = deadline(60_000, other.signal);
  const why = new Error('stopped');
  other.abort(why);
  expect(signal.reason).toBe(why);
  release();
  const late = deadline(60_000, other.signal);
  expect(late.signal.reason).toBe(why);
  late.release();
});

it('is not heard of after its release', async () => {
  const other = new AbortController();
  const released = deadline(5, other.signal);
  released.release();
  await pause(20);
  other.abort();
  expect(released.signal.aborted).toBe(false);
});
