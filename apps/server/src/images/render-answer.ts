import type { Rendered } from './render-picture.js';

/** What a process that makes pictures sends back. */
export interface Answer {
  rendered: Rendered;
}

/** Exit code of one that ended itself because a picture took too much memory. */
export const TOO_MUCH_MEMORY = 80;
