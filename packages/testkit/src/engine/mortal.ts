/** A worker process that a test kills at one of its writes. Everything it would do afterwards never happens. */
export class Life {
  private writes = 0;
  private deadline: { at: number; when: 'before' | 'after' } | null = null;
  private ended = false;
  private bury: () => void = () => {};
  /** Resolves when it dies. */
  readonly died = new Promise<void>((resolve) => {
    this.bury = resolve;
  });

  /** Dies at the n-th write (from 1): before it is made, or right after it is there and nothing else. */
  dieAt(at: number, when: 'before' | 'after'): void {
    this.deadline = { at, when };
  }

  kill(): void {
    this.ended = true;
    this.bury();
  }

  get dead(): boolean {
    return this.ended;
  }

  get written(): number {
    return this.writes;
  }

  write(when: 'before' | 'after'): void {
    if (when === 'before') this.writes += 1;
    if (this.deadline?.at === this.writes && this.deadline.when === when) this.kill();
  }
}

const never = () => new Promise<never>(() => {});

type Call = (...values: unknown[]) => unknown;

/**
 * The port as the process of this life sees it: calls of the dead do nothing, and nothing comes back to them.
 *
 * @param writes the methods that persist something
 * @param asynchronous the other methods that return a promise; the rest is left as it is
 */
export function mortal<Port extends object>(
  port: Port,
  life: Life,
  writes: readonly (keyof Port)[],
  asynchronous: readonly (keyof Port)[] = [],
): Port {
  return new Proxy(port, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name, target);
      if (typeof member !== 'function') return member;
      const call: Call = (...values) => Reflect.apply(member, target, values);
      const persists = writes.includes(name as keyof Port);
      if (!persists && !asynchronous.includes(name as keyof Port)) return call;
      return async (...values: unknown[]) => {
        if (persists) life.write('before');
        if (life.dead) return never();
        try {
          const result = await call(...values);
          if (persists) life.write('after');
          return life.dead ? await never() : result;
        } catch (error) {
          if (life.dead) return never();
          throw error;
        }
      };
    },
  });
}
