/** A map that forgets the keys that were not set for longest. */
export class RecentMap<Value> {
  /** A Map keeps the order of insertion. */
  readonly #values = new Map<string, Value>();

  constructor(private readonly maxKeys: number) {}

  get(key: string): Value | undefined {
    return this.#values.get(key);
  }

  set(key: string, value: Value): void {
    this.#values.delete(key);
    this.#values.set(key, value);
    if (this.#values.size <= this.maxKeys) return;
    const [oldest] = this.#values.keys();
    if (oldest !== undefined) this.#values.delete(oldest);
  }
}
