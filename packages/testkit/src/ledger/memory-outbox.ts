import { randomUUID } from 'node:crypto';
import type { Clock, EventOutbox, OutboxEntry, RaisedEpoch, StreamRef } from '@plinth/engine';
import { toIso } from '@plinth/engine';
import type { EventBody, MessageId, RunId, TenantId, ThreadEvent, ThreadId } from '@plinth/protocol';
import { type EventRow, sameStream, type TenantRows } from './memory-rows.js';

interface StreamOwner {
  eventEpoch: number;
  eventTail: number;
  /** A thread has none. */
  fence?: number;
}

/** The outbox half of the in-memory ledger. */
export class MemoryOutbox implements EventOutbox {
  private events: EventRow[] = [];
  private lastId = 0n;

  constructor(
    private readonly rowsOf: (tenant: TenantId) => TenantRows,
    private readonly clock: Clock,
  ) {}

  /** Called by the ledger when a transaction commits. */
  addMessageEvents(
    tenant: TenantId,
    run: { id: RunId; messageId: MessageId },
    bodies: readonly EventBody[],
    now: number,
  ): void {
    const owner = { runId: run.id, messageId: run.messageId, at: toIso(now) };
    for (const body of bodies)
      this.add(tenant, { kind: 'message', id: run.messageId }, { ...body, ...owner }, now);
  }

  addThreadEvents(tenant: TenantId, threadId: ThreadId, events: readonly ThreadEvent[], now: number): void {
    for (const event of events) this.add(tenant, { kind: 'thread', id: threadId }, event, now);
  }

  private add(tenant: TenantId, stream: StreamRef, event: object, createdAt: number): void {
    this.lastId += 1n;
    this.events.push({
      id: this.lastId,
      eventId: randomUUID(),
      tenant,
      stream,
      payload: JSON.stringify(event),
      createdAt,
    });
  }

  async pending(tenant: TenantId, stream: StreamRef): Promise<OutboxEntry[]> {
    return this.unpublished(tenant, [stream]);
  }

  /** What a transaction that has just committed these streams' events is told of. */
  unpublished(tenant: TenantId, streams: readonly StreamRef[]): OutboxEntry[] {
    return this.events
      .filter(
        (event) => event.tenant === tenant && streams.some((stream) => sameStream(event.stream, stream)),
      )
      .map(({ id, eventId, stream, payload }) => ({ id, eventId, stream, payload }));
  }

  async markPublished(tenant: TenantId, ids: readonly bigint[]): Promise<void> {
    const published = this.events.filter((event) => event.tenant === tenant && ids.includes(event.id));
    this.events = this.events.filter((event) => !published.includes(event));
    for (const { stream } of published) {
      if (stream.kind !== 'thread') continue;
      const thread = this.rowsOf(tenant).threads.get(stream.id);
      if (thread) thread.eventTail += 1;
    }
  }

  async announce(tenant: TenantId, event: ThreadEvent): Promise<void> {
    this.addThreadEvents(tenant, event.threadId as ThreadId, [event], this.clock.now());
  }

  async position(tenant: TenantId, stream: StreamRef): Promise<{ epoch: number; tail: number }> {
    const { eventEpoch: epoch, eventTail: tail } = this.owner(tenant, stream);
    return { epoch, tail };
  }

  async raiseEpoch(tenant: TenantId, stream: StreamRef, from: number): Promise<RaisedEpoch> {
    const owner = this.owner(tenant, stream);
    const raised = owner.eventEpoch === from;
    if (raised) Object.assign(owner, { eventEpoch: from + 1, eventTail: 0 });
    return { epoch: owner.eventEpoch, raised, fence: owner.fence ?? 0 };
  }

  async dueStreams({
    before,
    limit,
  }: {
    before: number;
    limit: number;
  }): Promise<{ tenant: TenantId; stream: StreamRef }[]> {
    const due = this.events.filter((event) => event.createdAt < before);
    const first = due.filter(
      (event, place) =>
        place ===
        due.findIndex((other) => other.tenant === event.tenant && sameStream(other.stream, event.stream)),
    );
    return first.slice(0, limit).map(({ tenant, stream }) => ({ tenant, stream }));
  }

  /** The row that knows the stream's position: a message's log belongs to its run, a thread's to the thread. */
  private owner(tenant: TenantId, stream: StreamRef): StreamOwner {
    const rows = this.rowsOf(tenant);
    const owner =
      stream.kind === 'thread'
        ? rows.threads.get(stream.id)
        : [...rows.runs.values()].find(({ record }) => record.run.messageId === stream.id)?.record.run;
    if (!owner)
      throw new Error(`there is no ${stream.kind} ${stream.id} in this tenant, so it has no event log`);
    return owner;
  }
}
