import {
  type Beginning,
  type DeltaOutcome,
  type EventLog,
  type EventOutbox,
  type EventWriter,
  LOG_START,
  type OutboxEntry,
  type StreamPosition,
  type StreamRef,
} from '@plinth/engine';
import { compareSeq, parseSeq, type TenantId } from '@plinth/protocol';

const TTL_SECONDS = 3600;

/**
 * One process's event writer over any log and outbox. It keeps the contract of the port (order of commits, no
 * number used twice, a lost log begins a new epoch) and has none of the server's caches.
 */
export class MemoryEventWriter implements EventWriter {
  private readonly known = new Map<string, StreamPosition>();
  private readonly deltaEpochs = new Map<string, number>();
  private readonly beginnings = new Map<string, Beginning & { epoch: number }>();
  private readonly draining = new Map<string, Promise<unknown>>();

  constructor(
    private readonly log: EventLog,
    private readonly outbox: EventOutbox,
  ) {}

  drain(tenant: TenantId, stream: StreamRef): Promise<string | null> {
    return this.inTurn(tenant, stream, async () =>
      this.append(tenant, stream, await this.outbox.pending(tenant, stream)),
    );
  }

  async publish(
    tenant: TenantId,
    entries: readonly OutboxEntry[],
    begins: readonly StreamRef[] = [],
  ): Promise<void> {
    for (const stream of begins)
      this.beginnings.set(keyOf(tenant, stream), { epoch: LOG_START.epoch, fence: 0 });
    const streams = new Map(entries.map(({ stream }) => [keyOf(tenant, stream), stream]));
    for (const stream of streams.values()) {
      await this.inTurn(tenant, stream, () =>
        this.append(
          tenant,
          stream,
          entries.filter((entry) => entry.stream.id === stream.id),
        ),
      );
    }
  }

  async delta(tenant: TenantId, stream: StreamRef, fence: number, payload: string): Promise<DeltaOutcome> {
    const key = keyOf(tenant, stream);
    const expect = await this.current(tenant, stream);
    const before = this.deltaEpochs.get(key) ?? expect.epoch;
    this.deltaEpochs.set(key, expect.epoch);
    if (before !== expect.epoch) return 'epoch_raised';
    const outcome = await this.log.append(tenant, stream, {
      payload,
      eventId: null,
      fence,
      expect,
      begins: this.takeBeginning(tenant, stream, expect.epoch),
      ttlSeconds: TTL_SECONDS,
    });
    switch (outcome.kind) {
      case 'appended':
        this.keep(tenant, stream, outcome.seq);
        return 'appended';
      case 'fenced':
        return 'fenced';
      case 'tail_lost':
        return (await this.raise(tenant, stream, expect.epoch)) > fence ? 'fenced' : 'epoch_raised';
      case 'behind':
        this.keep(tenant, stream, outcome.tail);
        return 'epoch_raised';
      case 'duplicate':
        throw new Error('a delta has no event id, so it cannot be a duplicate');
    }
  }

  position(tenant: TenantId, stream: StreamRef): StreamPosition | null {
    return this.known.get(keyOf(tenant, stream)) ?? null;
  }

  private inTurn<T>(tenant: TenantId, stream: StreamRef, work: () => Promise<T>): Promise<T> {
    const key = keyOf(tenant, stream);
    const before = this.draining.get(key) ?? Promise.resolve();
    const done = before.catch(() => {}).then(work);
    this.draining.set(key, done);
    return done;
  }

  private async append(
    tenant: TenantId,
    stream: StreamRef,
    entries: readonly OutboxEntry[],
  ): Promise<string | null> {
    let last: string | null = null;
    for (const { id, eventId, payload } of entries) {
      for (let placed = false; !placed; ) {
        const expect = await this.current(tenant, stream);
        const begins = this.takeBeginning(tenant, stream, expect.epoch);
        const entry = { payload, eventId, fence: null, expect, begins, ttlSeconds: TTL_SECONDS };
        const outcome = await this.log.append(tenant, stream, entry);
        if (outcome.kind === 'appended' || outcome.kind === 'duplicate') {
          last = outcome.kind === 'appended' ? outcome.seq : outcome.tail;
          placed = true;
          this.keep(tenant, stream, last);
        } else if (outcome.kind === 'tail_lost') await this.raise(tenant, stream, expect.epoch);
        else if (outcome.kind === 'behind') this.keep(tenant, stream, outcome.tail);
        else throw new Error('an event of the outbox was fenced');
      }
      await this.outbox.markPublished(tenant, [id]);
    }
    return last;
  }

  private async current(tenant: TenantId, stream: StreamRef): Promise<StreamPosition> {
    return this.position(tenant, stream) ?? (await this.outbox.position(tenant, stream));
  }

  /** Returns the run's fence. */
  private async raise(tenant: TenantId, stream: StreamRef, from: number): Promise<number> {
    const { epoch, raised, fence } = await this.outbox.raiseEpoch(tenant, stream, from);
    if (raised) this.beginnings.set(keyOf(tenant, stream), { epoch, fence });
    this.keep(tenant, stream, `${epoch}-${LOG_START.tail}`);
    return fence;
  }

  private takeBeginning(tenant: TenantId, stream: StreamRef, epoch: number): Beginning | undefined {
    const key = keyOf(tenant, stream);
    const beginning = this.beginnings.get(key);
    if (beginning?.epoch !== epoch) return undefined;
    this.beginnings.delete(key);
    return beginning;
  }

  private keep(tenant: TenantId, stream: StreamRef, text: string): void {
    const at = parseSeq(text);
    if (!at) throw new Error(`the log answered with the position ${text}`);
    const known = this.position(tenant, stream);
    if (known && compareSeq({ epoch: known.epoch, n: known.tail }, at) > 0) return;
    this.known.set(keyOf(tenant, stream), { epoch: at.epoch, tail: at.n });
  }
}

const keyOf = (tenant: TenantId, stream: StreamRef): string => `${tenant} ${stream.kind} ${stream.id}`;
