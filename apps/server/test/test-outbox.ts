import type { EventOutbox, OutboxEntry, RaisedEpoch, StreamPosition, StreamRef } from '@plinth/engine';
import { LOG_START } from '@plinth/engine';
import type { TenantId } from '@plinth/protocol';

/** An outbox that holds what a test commits. */
export class TestOutbox implements EventOutbox {
  readonly entries: OutboxEntry[] = [];
  stored: StreamPosition = { ...LOG_START };
  /** The run's. */
  fence = 0;
  private nextId = 1n;

  commit(stream: StreamRef, ...payloads: string[]): void {
    for (const payload of payloads) {
      this.entries.push({ id: this.nextId, eventId: `event-${this.nextId}`, stream, payload });
      this.nextId += 1n;
    }
  }

  async pending(): Promise<OutboxEntry[]> {
    return [...this.entries];
  }

  async markPublished(_tenant: TenantId, ids: readonly bigint[]): Promise<void> {
    for (const id of ids) {
      const place = this.entries.findIndex((entry) => entry.id === id);
      if (place >= 0) this.entries.splice(place, 1);
    }
  }

  async announce(): Promise<void> {}

  async position(): Promise<StreamPosition> {
    return this.stored;
  }

  async raiseEpoch(_tenant: TenantId, _stream: StreamRef, from: number): Promise<RaisedEpoch> {
    const raised = this.stored.epoch === from;
    if (raised) this.stored = { epoch: from + 1, tail: 0 };
    return { epoch: this.stored.epoch, raised, fence: this.fence };
  }
}
