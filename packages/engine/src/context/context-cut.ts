import type { ContextReason } from '@plinth/protocol';
import type { ImageStep } from '../images/image-ref.js';

/** Walls that an endpoint has shown by refusing a request; they hold beside those of its profile. */
export interface LearnedWalls {
  /** Tokens of input, as they are counted here. */
  inputTokens?: number;
  bodyBytes?: number;
  imageBytes?: number;
  imagesTotalBytes?: number;
  maxImages?: number;
  /** Pixels. */
  imageSide?: number;
  /** It cannot fetch pictures from their addresses. */
  inlineImages?: boolean;
}

/**
 * What has been taken out of a conversation, and stays out: a request made smaller once is not made larger by the next turn,
 * so that the requests after it begin with the same bytes. Places are numbers of units on the way from the root of the thread
 * to here; the way of a run's children begins with its own. A JSON value; it is a column of the run, and a run without one
 * has that of the run before it.
 */
export interface ContextCut {
  /** Units before this one are not in the conversation any more. */
  from: number;
  /** What stands for them; null: nothing does. */
  summary: string | null;
  /** Tool results of units before this one are a short note each. */
  clearedBefore: number;
  /** Texts of units before this one are shortened to so many characters; null: none is. */
  shortened: { before: number; to: number } | null;
  /** Pictures by hash that are not on rung 0. One that an endpoint has refused is never sent again. */
  images: Record<string, ImageStep | 'rejected'>;
  /**
   * Pictures by hash that are out of the units before that number. A person who sends one again, later, wants it to be seen:
   * there it is shown.
   */
  removed: Record<string, number>;
  learned: LearnedWalls;
  /** Which wall asked last for each kind of loss. */
  walls: Partial<Record<ContextReason['code'], ContextReason['wall']>>;
}

export const NO_CUT: ContextCut = {
  from: 0,
  summary: null,
  clearedBefore: 0,
  shortened: null,
  images: {},
  removed: {},
  learned: {},
  walls: {},
};

/** Whether two cuts leave out the same. */
export const sameCut = (a: ContextCut, b: ContextCut): boolean =>
  a === b || JSON.stringify(sorted(a)) === JSON.stringify(sorted(b));

const byKey = <T>(record: Readonly<Record<string, T>>) =>
  Object.entries(record).sort(([a], [b]) => (a < b ? -1 : 1));

const sorted = (cut: ContextCut) => [
  cut.from,
  cut.summary,
  cut.clearedBefore,
  cut.shortened && [cut.shortened.before, cut.shortened.to],
  ...[cut.images, cut.removed, cut.learned, cut.walls].map((record) => byKey<unknown>({ ...record })),
];
