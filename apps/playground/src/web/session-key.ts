import type { ThreadSession } from '@plinth/client';

const keys = new WeakMap<ThreadSession, number>();
let last = 0;

/**
 * A React key for what belongs to one conversation. A session outlives the moment when its thread gets an
 * id, so what the person is typing does too; another conversation starts with an empty composer.
 */
export function sessionKey(session: ThreadSession): number {
  const known = keys.get(session);
  if (known !== undefined) return known;
  last += 1;
  keys.set(session, last);
  return last;
}
