// @vitest-environment jsdom
import { act } from 'react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { draw, undraw } from './draw-for-test.js';
import { Markdown } from './markdown.js';
import { MOST_STEP, nextStep } from './use-steady-growth.js';

const FRAME_MS = 16;
let lastFrame = 0;
const frames = new Map<number, () => void>();
/** As a browser does it: what is called off in the same frame by one before it is not called. */
const paint = (frameMs = FRAME_MS, before: () => void = () => {}) => {
  vi.advanceTimersByTime(frameMs);
  const due = [...frames.keys()];
  before();
  act(() => {
    for (const id of due) {
      const frame = frames.get(id);
      frames.delete(id);
      frame?.();
    }
  });
};

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance', 'setTimeout', 'clearTimeout'] });
  vi.stubGlobal('requestAnimationFrame', (frame: () => void) => {
    lastFrame += 1;
    frames.set(lastFrame, frame);
    return lastFrame;
  });
  vi.stubGlobal('cancelAnimationFrame', (id: number) => frames.delete(id));
});
afterEach(() => {
  undraw();
  frames.clear();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** With a last line that has not come yet: what a chunk holds at its end is not the point here. */
const code = (lines: number) => `\`\`\`js\n${'const answer = 42; // 🎉\n'.repeat(lines)}let`;
const drawn = (box: HTMLElement) => box.querySelector('code')?.textContent ?? '';

/** What is drawn after each frame, until nothing more comes. */
function framesOf(box: HTMLElement, frameMs?: number): string[] {
  const seen = [drawn(box)];
  while (frames.size > 0) {
    paint(frameMs);
    seen.push(drawn(box));
  }
  return seen;
}

test('a long text that comes at once is drawn over many frames, in bounded steps, and is whole in the end', () => {
  const { box } = draw(<Markdown text={code(6_000)} streaming />);
  const seen = framesOf(box);
  expect(seen.at(-1)).toBe(code(6_000).slice(6));
  expect(seen.length).toBeGreaterThan(30);
  for (const [index, text] of seen.entries()) {
    expect(text.length - (seen[index - 1]?.length ?? 0)).toBeLessThanOrEqual(MOST_STEP);
    expect(text).not.toMatch(/[\uD800-\uDBFF]$/);
  }
});

test('what comes while it is behind is drawn in the same steps, also when it was the last', () => {
  const { box, redraw } = draw(<Markdown text={code(10)} streaming />);
  redraw(<Markdown text={code(4_000)} streaming />);
  paint();
  const before = drawn(box).length;
  redraw(<Markdown text={code(6_000)} streaming />);
  expect(drawn(box).length).toBe(before);
  const seen = framesOf(box);
  expect(seen.at(-1)).toBe(code(6_000).slice(6));
  expect(seen[1]?.length).toBeLessThanOrEqual(before + MOST_STEP);
});

test('a text that comes as a person reads is drawn without waiting for a frame', () => {
  const { box, redraw } = draw(<Markdown text={code(1)} streaming />);
  for (let lines = 2; lines < 150; lines += 1) {
    redraw(<Markdown text={code(lines)} streaming />);
    expect(drawn(box)).toBe(code(lines).slice(6));
    paint();
  }
});

test('what comes with each frame does not keep back what has come', () => {
  const { box, redraw } = draw(<Markdown text={code(100)} streaming />);
  for (let lines = 200; lines < 3_000; lines += 100) {
    const before = drawn(box).length;
    paint(FRAME_MS, () => redraw(<Markdown text={code(lines)} streaming />));
    expect(drawn(box).length).toBeGreaterThan(before);
  }
});

test('a text of the history is drawn whole, and asks for no frame', () => {
  const { box } = draw(<Markdown text={code(6_000)} />);
  expect(drawn(box)).toBe(code(6_000).slice(6));
  expect(frames.size).toBe(0);
});

test('a text that was withdrawn and comes again is drawn in steps again', () => {
  const { box, redraw } = draw(<Markdown text={code(4_000)} streaming />);
  framesOf(box);
  redraw(<Markdown text={code(0)} streaming />);
  framesOf(box);
  redraw(<Markdown text={code(4_000)} streaming />);
  expect(drawn(box).length).toBeLessThanOrEqual(MOST_STEP + code(0).length);
});

test('a page whose frames take long draws less in each of them than a quick one', () => {
  const stepsAt = (frameMs: number) => {
    const { box } = draw(<Markdown text={code(2_000)} streaming />);
    return framesOf(box, frameMs).length;
  };
  expect(stepsAt(60)).toBeGreaterThan(1.5 * stepsAt(16));
});

test('a page that is slow whatever it draws catches up all the same', () => {
  let step = MOST_STEP;
  let frames = 0;
  for (let behind = 1_000_000; behind > 0; behind -= step) {
    step = nextStep(step, 500, behind);
    frames += 1;
  }
  // 2,000 if it drew as little as it can.
  expect(frames).toBeLessThan(700);
});

test.each([
  { step: 1_000, frameMs: 16, behind: 9_000, next: 2_000 },
  { step: 2_000, frameMs: 16, behind: 9_000, next: 2_000 },
  { step: 1_000, frameMs: 28, behind: 9_000, next: 1_000 },
  { step: 1_000, frameMs: 50, behind: 9_000, next: 500 },
  { step: 500, frameMs: 50, behind: 9_000, next: 500 },
  { step: 500, frameMs: 50, behind: 200_000, next: 2_000 },
  { step: 500, frameMs: 50, behind: 9_000_000, next: 2_000 },
])(
  'after $step characters in a frame of $frameMs ms, with $behind to come, the next one may draw $next',
  ({ step, frameMs, behind, next }) => expect(nextStep(step, frameMs, behind)).toBe(next),
);
