import type { ChatRequest } from '../api/chat-request.js';

/**
 * What goes wrong: an error status, a connection cut after so many chunks, or an answer that never comes. A body that is a
 * string is sent as a page of HTML.
 */
export type Fault =
  | { kind: 'status'; status: number; body?: unknown; headers?: Record<string, string> }
  | { kind: 'reset'; afterChunks: number }
  | { kind: 'hang' };

/** `times` is how many requests the fault hits before it is used up; once, unless said otherwise. */
export type FaultInjection = {
  when: 'next' | ((request: ChatRequest) => boolean);
  fault: Fault;
  times?: number;
};

/** Faults waiting for a valid request that they fit. Refused requests use none up. */
export class FaultQueue {
  #waiting: { injection: FaultInjection; left: number }[] = [];

  inject(injections: FaultInjection[]): void {
    for (const injection of injections) this.#waiting.push({ injection, left: injection.times ?? 1 });
  }

  clear(): void {
    this.#waiting = [];
  }

  /** The first fault that fits the request, counted down; undefined when none does. */
  take(request: ChatRequest): Fault | undefined {
    const found = this.#waiting.find(({ injection: { when } }) => when === 'next' || when(request));
    if (!found) return undefined;
    found.left -= 1;
    if (found.left <= 0) this.#waiting = this.#waiting.filter((entry) => entry !== found);
    return found.injection.fault;
  }
}
