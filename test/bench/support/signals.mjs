/** Turns "it happened to this id" into promises, with the time at which it happened. */
export function signals() {
  const waiting = new Map();
  const happened = new Map();
  return {
    /** Call when it happens. */
    note(id) {
      const at = performance.now();
      const resolve = waiting.get(id);
      waiting.delete(id);
      if (resolve) resolve(at);
      else happened.set(id, at);
    },
    /** Forgets what happened before. */
    forget: (id) => happened.delete(id),
    /** The time of its next (or last unforgotten) happening. */
    next(id) {
      const at = happened.get(id);
      happened.delete(id);
      return at === undefined ? new Promise((resolve) => waiting.set(id, resolve)) : Promise.resolve(at);
    },
  };
}
