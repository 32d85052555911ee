/** Holds one immutable state and tells its listeners of each change. */
export type Store<State, Action> = {
  getState(): State;
  dispatch(action: Action): void;
  subscribe(listener: () => void): () => void;
  /** Resolves when the condition holds; at once when it does already. */
  until(condition: (state: State) => boolean): Promise<void>;
};

export function createStore<State, Action>(
  reduce: (state: State, action: Action) => State,
  initial: State,
): Store<State, Action> {
  let state = initial;
  const listeners = new Set<() => void>();

  function subscribe(listener: () => void): () => void {
    // A listener given twice is two subscriptions: each leaves on its own.
    const entry = () => listener();
    listeners.add(entry);
    return () => listeners.delete(entry);
  }

  return {
    getState: () => state,
    subscribe,
    dispatch(action) {
      const next = reduce(state, action);
      if (next === state) return;
      state = next;
      for (const listener of [...listeners]) listener();
    },
    until(condition) {
      if (condition(state)) return Promise.resolve();
      return new Promise((resolve) => {
        const leave = subscribe(() => {
          if (!condition(state)) return;
          leave();
          resolve();
        });
      });
    },
  };
}
