import type { Environment } from './environment.js';

/** Where others reach this installation, without a slash at the end. */
export function publicUrlOf({ PLINTH_PUBLIC_URL, PORT }: Environment): string {
  return (PLINTH_PUBLIC_URL ?? `http://localhost:${PORT}`).replace(/\/$/, '');
}
