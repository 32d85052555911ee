import type { DeltaOutcome, EventWriter, OutboxEntry, StreamPosition, StreamRef } from '@plinth/engine';
import type { TenantId } from '@plinth/protocol';
import { OutboxRelay, type OutboxRelayParts } from './outbox-relay.js';

/** Writes the events of runs: durable ones through the relay, deltas straight to the log. */
export class LogEventWriter implements EventWriter {
  readonly #relay: OutboxRelay;

  constructor(private readonly parts: OutboxRelayParts) {
    this.#relay = new OutboxRelay(parts);
  }

  drain(tenant: TenantId, stream: StreamRef): Promise<string | null> {
    return this.#relay.drain(tenant, stream);
  }

  publish(tenant: TenantId, entries: readonly OutboxEntry[]): Promise<void> {
    return this.#relay.publish(tenant, entries);
  }

  async delta(tenant: TenantId, stream: StreamRef, fence: number, payload: string): Promise<DeltaOutcome> {
    const { log, positions } = this.parts;
    const expect = await positions.current(tenant, stream);
    // Also when a drain has raised the epoch: what the delta goes on with is not in the new one.
    if (!positions.continuesDeltas(tenant, stream)) return 'epoch_raised';
    const ttlSeconds = await this.parts.ttlSeconds(tenant);
    const outcome = await log.append(tenant, stream, { payload, eventId: null, fence, expect, ttlSeconds });
    switch (outcome.kind) {
      case 'appended':
        positions.reached(tenant, stream, outcome.seq);
        return 'appended';
      case 'fenced':
        return 'fenced';
      case 'tail_lost':
        await positions.raise(tenant, stream, expect);
        break;
      case 'behind':
        await positions.follow(tenant, stream, outcome.tail);
        break;
      case 'duplicate':
        throw new Error('the event log took a delta for a duplicate, although it has no event id');
    }
    positions.continuesDeltas(tenant, stream);
    return 'epoch_raised';
  }

  position(tenant: TenantId, stream: StreamRef): StreamPosition | null {
    return this.parts.positions.known(tenant, stream);
  }
}
