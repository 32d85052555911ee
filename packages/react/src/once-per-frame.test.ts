import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { oncePerFrame } from './once-per-frame.js';

let frames: (() => void)[] = [];
const paint = () => {
  const due = frames;
  frames = [];
  for (const frame of due) frame();
};

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal('requestAnimationFrame', (frame: () => void) => frames.push(frame));
  vi.stubGlobal('cancelAnimationFrame', () => undefined);
});
afterEach(() => {
  frames = [];
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

function source() {
  const listeners = new Set<() => void>();
  return {
    emit: () => {
      for (const listener of listeners) listener();
    },
    count: () => listeners.size,
    subscribe: (listener: () => void) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

test('one change is told at once, a hundred in the same frame are told once more', () => {
  const { emit, subscribe } = source();
  const listener = vi.fn();
  oncePerFrame(subscribe)(listener);
  emit();
  expect(listener).toHaveBeenCalledTimes(1);
  for (let change = 0; change < 100; change += 1) emit();
  expect(listener).toHaveBeenCalledTimes(1);
  paint();
  expect(listener).toHaveBeenCalledTimes(2);
  paint();
  expect(listener).toHaveBeenCalledTimes(2);
  emit();
  expect(listener).toHaveBeenCalledTimes(3);
});

test('a page that is not painted hears of the changes as well', () => {
  const { emit, subscribe } = source();
  const listener = vi.fn();
  oncePerFrame(subscribe)(listener);
  emit();
  emit();
  vi.advanceTimersByTime(100);
  expect(listener).toHaveBeenCalledTimes(2);
});

test('who has left hears of nothing, also not of what had changed before', () => {
  const { emit, subscribe, count } = source();
  const listener = vi.fn();
  const leave = oncePerFrame(subscribe)(listener);
  emit();
  emit();
  leave();
  vi.advanceTimersByTime(1000);
  expect(listener).toHaveBeenCalledTimes(1);
  expect(count()).toBe(0);
});
