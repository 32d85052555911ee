import { setTimeout as pause } from 'node:timers/promises';
import { Interrupted } from '../prompts/execute-prompt.js';

/** Where the running prompt waits: for its step's time, and for as long as it is held. */
export class Gate {
  #held: { opened: Promise<void>; open: () => void } | null = null;
  #interrupt = new AbortController();

  hold(): void {
    if (this.#held) return;
    let open = () => {};
    const opened = new Promise<void>((resolve) => {
      open = resolve;
    });
    this.#held = { opened, open };
  }

  release(): void {
    this.#held?.open();
    this.#held = null;
  }

  /** Before a prompt: what was interrupted before does not count. */
  reset(): void {
    this.#interrupt = new AbortController();
  }

  interrupt(): void {
    this.#interrupt.abort(new Interrupted());
  }

  /** @throws Interrupted */
  async pass(stepMs: number): Promise<void> {
    const { signal } = this.#interrupt;
    if (stepMs > 0) await pause(stepMs, undefined, { signal }).catch(() => {});
    signal.throwIfAborted();
    if (!this.#held) return;
    const interrupted = new Promise<void>((resolve) => {
      signal.addEventListener('abort', () => resolve(), { once: true });
    });
    await Promise.race([this.#held.opened, interrupted]);
    signal.throwIfAborted();
  }
}
