import type { Clock, EventOutbox } from '@plinth/engine';
import type { TenantId } from '@plinth/protocol';

/** Milliseconds for which marks are gathered before they are written in one statement a tenant. */
const GATHER_MS = 50;
/** Ids that this process remembers as published, so that it does not append them again meanwhile. */
const REMEMBERED = 5_000;

/**
 * Notes which events stand in their logs, a little later and many at once. A mark that is lost does no harm: the
 * event is appended once more, which adds nothing.
 */
export class PublishedMarks {
  #waiting = new Map<TenantId, bigint[]>();
  readonly #published = new Set<bigint>();
  #writing: Promise<void> | null = null;
  readonly #closing = new AbortController();

  constructor(
    private readonly outbox: EventOutbox,
    private readonly clock: Clock,
    private readonly onError: (error: unknown) => void,
  ) {}

  has(id: bigint): boolean {
    return this.#published.has(id);
  }

  add(tenant: TenantId, ids: readonly bigint[]): void {
    if (ids.length === 0) return;
    for (const id of ids) this.#published.add(id);
    for (const oldest of this.#published) {
      if (this.#published.size <= REMEMBERED) break;
      this.#published.delete(oldest);
    }
    this.#waiting.set(tenant, [...(this.#waiting.get(tenant) ?? []), ...ids]);
    this.#writing ??= this.#writeSoon();
  }

  /** Writes what waits. */
  async close(): Promise<void> {
    this.#closing.abort();
    await this.#writing;
  }

  async #writeSoon(): Promise<void> {
    await this.clock.wait(GATHER_MS, this.#closing.signal).catch(() => {});
    const waiting = this.#waiting;
    this.#waiting = new Map();
    this.#writing = null;
    for (const [tenant, ids] of waiting) {
      await this.outbox.markPublished(tenant, ids).catch((error: unknown) => {
        // Not noted, so not remembered either: the sweeper finds them, and they are published and noted again.
        for (const id of ids) this.#published.delete(id);
        this.onError(error);
      });
    }
  }
}
