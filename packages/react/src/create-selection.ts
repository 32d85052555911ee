/**
 * Reads a part of a state. The last result is handed out again while its contents are the same, one level
 * deep: React compares by identity, and a list that is built anew each time would never come to rest.
 */
export function createSelection<State, T>(getState: () => State, select: (state: State) => T): () => T {
  let last: { state: State; value: T } | null = null;
  return () => {
    const state = getState();
    if (last?.state === state) return last.value;
    const value = select(state);
    last = { state, value: last && isShallowEqual(last.value, value) ? last.value : value };
    return last.value;
  };
}

function isShallowEqual(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  const [left, right] = [Object.entries(a), b as Record<string, unknown>];
  return (
    left.length === Object.keys(b).length &&
    left.every(([key, value]) => key in right && Object.is(value, right[key]))
  );
}
