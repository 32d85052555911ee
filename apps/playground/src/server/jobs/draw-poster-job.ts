import type { CallbackProgress, CallbackResult } from '@plinth/protocol';
import { posterSummary } from './poster-language.js';
import { POSTER_PIXELS, type PosterValues } from './poster-values.js';
import { progressSteps } from './progress-steps.js';

/** What a callback may hold; a longer text would be refused with the whole result. */
const MAX_MESSAGE_LENGTH = 2_000;

export type Drawing = {
  values: PosterValues;
  delayMs: number;
  render: (values: PosterValues) => Promise<Buffer>;
  wait: (durationMs: number) => Promise<void>;
  report: (progress: CallbackProgress) => Promise<unknown>;
  /** Aborted when nobody wants the poster any more. */
  cancelled: AbortSignal;
};

/**
 * Takes its time, tells how far it is, and gives the callback's body. A drawing that fails is a result, too; one that
 * was cancelled has none: it stops at its next step.
 */
export async function drawPosterJob({
  values,
  delayMs,
  render,
  wait,
  report,
  cancelled,
}: Drawing): Promise<CallbackResult | null> {
  const steps = progressSteps(values);
  for (const step of steps) {
    await report(step);
    await wait(delayMs / steps.length);
    if (cancelled.aborted) return null;
  }
  try {
    const png = await render(values);
    const { width, height } = POSTER_PIXELS[values.size];
    return {
      status: 'succeeded',
      result: {
        summary: posterSummary(values, { width, height }),
        width,
        height,
      },
      files: [{ name: 'poster.png', contentType: 'image/png', base64: png.toString('base64') }],
    };
  } catch (error) {
    const message = `The poster could not be drawn: ${error instanceof Error ? error.message : String(error)}`;
    return {
      status: 'failed',
      error: { code: 'render_failed', message: message.slice(0, MAX_MESSAGE_LENGTH) },
    };
  }
}
