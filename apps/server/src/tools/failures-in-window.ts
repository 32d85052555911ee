import type { IBreaker } from 'cockatiel';

/** Opens a circuit at the n-th failure within a time. A success in between forgives nothing: one in ten may be luck. */
export class FailuresInWindow implements IBreaker {
  /** Times of the failures, oldest first; milliseconds since the Unix epoch. */
  #failures: number[] = [];

  constructor(
    private readonly most: number,
    private readonly windowMs: number,
  ) {}

  get state(): unknown {
    return [...this.#failures];
  }

  set state(failures: unknown) {
    this.#failures = Array.isArray(failures) ? failures.filter((at) => typeof at === 'number') : [];
  }

  success(): void {}

  failure(): boolean {
    const now = Date.now();
    this.#failures = [...this.#failures, now].filter((at) => at > now - this.windowMs);
    if (this.#failures.length < this.most) return false;
    // What opened the circuit does not count again when it has been closed.
    this.#failures = [];
    return true;
  }
}
