import type { ImageStep } from '../images/image-ref.js';

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
  /** Pictures by hash that are not on rung 0: the rung, or why they are out. */
  images: Record<string, ImageStep | 'removed' | 'rejected'>;
}

export const NO_CUT: ContextCut = { from: 0, summary: null, clearedBefore: 0, shortened: null, images: {} };
