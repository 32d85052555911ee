import { useEffect, useRef, useState } from 'react';
import { onNextFrame } from '../on-next-frame.js';

/** Characters that a frame may draw: a few rows of a table, and on quick machines a screen or two of code. */
const LEAST_STEP = 500;
export const MOST_STEP = 2_000;
/** Milliseconds of a frame at 60 Hz with time to spare, and of one that missed the next one's time. */
const QUICK_MS = 20;
const SLOW_MS = 34;
/** A frame draws at least this part of what is behind: on a machine that is slow for other reasons the text must not stay back. */
const CATCH_UP = 1 / 100;

type Growth = {
  /** How much of the text may be drawn. */
  limit: number;
  step: number;
  /** When this was let on. */
  at: number;
};

/**
 * A text as far as it is drawn now. However much of a streaming one arrives at once (a quick model, a replay, a page that
 * was in the background), a frame draws a bounded part of it, and the page stays quick. It stays so when the stream has
 * ended before all is drawn. A text that did not stream when it was first shown is always whole.
 */
export function useSteadyGrowth(text: string, isStreaming: boolean): string {
  const [{ limit, step, at }, setGrowth] = useState<Growth>({
    limit: isStreaming ? LEAST_STEP : Number.POSITIVE_INFINITY,
    step: LEAST_STEP,
    at: 0,
  });
  const isBehind = text.length > limit;
  const length = isBehind ? wholeCharacters(text, limit) : text.length;
  // A text that grows a little with each frame needs no frame of its own to be let on. One that was withdrawn starts anew.
  const left = limit - length;
  const isDue = Number.isFinite(left) && (left < step / 2 || left > step);
  const size = useRef(text.length);
  useEffect(() => {
    size.current = text.length;
  }, [text]);
  // What comes with each frame must not call the frame off: the text's length is no dependency.
  useEffect(() => {
    if (!isDue) return;
    return onNextFrame(() => {
      const now = performance.now();
      const behind = size.current - limit;
      const next = behind > 0 ? nextStep(step, now - at, behind) : step;
      setGrowth({ limit: Math.min(limit, size.current) + next, step: next, at: now });
    });
  }, [isDue, limit, step, at]);
  return isBehind ? text.slice(0, length) : text;
}

/** How much the next frame may draw, by how long the last one took and how much is behind. */
export function nextStep(step: number, frameMs: number, behind: number): number {
  const wished = frameMs > SLOW_MS ? step / 2 : frameMs < QUICK_MS ? step * 2 : step;
  return Math.min(MOST_STEP, Math.max(LEAST_STEP, Math.ceil(behind * CATCH_UP), wished));
}

/** Never between the two halves of one character. */
function wholeCharacters(text: string, length: number): number {
  return /[\uD800-\uDBFF]/.test(text.charAt(length - 1)) ? length - 1 : length;
}
