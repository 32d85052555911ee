import type { Nudges } from '@plinth/engine';
import type { RunId } from '@plinth/protocol';
import type { RedisKeys } from '../platform/redis/redis-keys.js';
import type { RedisSubscriber } from '../platform/redis/redis-subscriber.js';
import { advanceJob } from './bullmq-advance-job.js';

/** Who in this process holds which run, and is told when somebody nudges it. One channel for all of them. */
export class BullMqNudges implements Nudges {
  readonly #listeners = new Map<RunId, Set<() => void>>();
  #stop: (() => void) | null = null;

  constructor(
    private readonly subscriber: RedisSubscriber,
    private readonly keys: RedisKeys,
  ) {}

  /** Resolves when nudges are heard. */
  async start(): Promise<void> {
    this.#stop = await this.subscriber.subscribe(this.keys.nudgeChannel, {
      message: (text) => this.#deliver(text),
      // A nudge may have been missed. Looking at the ledger without need does no harm.
      resumed: () => {
        for (const listeners of this.#listeners.values()) for (const listener of listeners) listener();
      },
    });
  }

  stop(): void {
    this.#stop?.();
    this.#stop = null;
  }

  listen(runId: RunId, listener: () => void): () => void {
    const listeners = this.#listeners.get(runId) ?? new Set();
    listeners.add(listener);
    this.#listeners.set(runId, listeners);
    return () => {
      listeners.delete(listener);
      if (listeners.size === 0 && this.#listeners.get(runId) === listeners) this.#listeners.delete(runId);
    };
  }

  #deliver(text: string): void {
    const runId = runIdOf(text);
    if (runId === null) return;
    for (const listener of this.#listeners.get(runId) ?? []) listener();
  }
}

/** Null for a message that is not ours. */
function runIdOf(text: string): RunId | null {
  try {
    return advanceJob.parse(JSON.parse(text)).runId;
  } catch {
    return null;
  }
}
