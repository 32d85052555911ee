import type { Rendered } from './render-picture.js';

/** What a process that makes pictures sends: once that it is ready, and then what became of each job. */
export type Answer = { kind: 'ready' } | Rendered;

/** Exit code of one that ended itself because a picture took too much memory. */
export const TOO_MUCH_MEMORY = 80;
