import type { LiveSession } from './thread-session.js';

/** Threads that nobody looks at any more are shown at once when somebody comes back, up to this many. */
const KEPT_IDLE = 16;

/** One session per thread, so that everybody who asks for a thread shares its state and its streams. */
export type SessionRegistry = {
  get(threadId: string, create: () => LiveSession): LiveSession;
  used(threadId: string, session: LiveSession): void;
};

export function createSessionRegistry(): SessionRegistry {
  /** Least recently used first. */
  const sessions = new Map<string, LiveSession>();

  function used(threadId: string, session: LiveSession): void {
    sessions.delete(threadId);
    sessions.set(threadId, session);
    const idle = [...sessions].filter(([id, other]) => id !== threadId && !other.isInUse());
    for (const [id] of idle.slice(0, Math.max(idle.length - KEPT_IDLE, 0))) sessions.delete(id);
  }

  return {
    used,
    get(threadId, create) {
      const session = sessions.get(threadId) ?? create();
      used(threadId, session);
      return session;
    },
  };
}
