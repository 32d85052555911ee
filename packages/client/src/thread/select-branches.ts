import type { ThreadState } from './thread-state.js';

/** Where a message stands among the branches at its place. */
export type Branches = {
  /** 1 for the oldest. */
  readonly position: number;
  readonly count: number;
  /** The message that begins the branch before, for `session.showBranch`; null on the first one. */
  readonly previousId: string | null;
  readonly nextId: string | null;
};

/** The branches at a message's place; null while there is only one, or the message is not here. */
export function selectBranches(state: ThreadState, messageId: string): Branches | null {
  // A server of an older version tells no siblings.
  const siblings: readonly string[] = state.messages.find(({ id }) => id === messageId)?.siblings ?? [];
  const index = siblings.indexOf(messageId);
  if (index < 0 || siblings.length < 2) return null;
  return {
    position: index + 1,
    count: siblings.length,
    previousId: siblings[index - 1] ?? null,
    nextId: siblings[index + 1] ?? null,
  };
}
