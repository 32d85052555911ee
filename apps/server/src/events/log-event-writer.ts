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

  publish(
    tenant: TenantId,
    entries: readonly OutboxEntry[],
    begins: readonly StreamRef[] = [],
  ): Promise<void> {
    return this.#relay.publish(tenant, entries, begins);
  }

  async delta(tenant: TenantId, stream: StreamRef, fence: number, payload: string): Promise<DeltaOutcome> {
    const { log, positions } = this.parts;
    const expect = await positions.current(tenant, stream);
    // Also when a drain has raised the epoch: what the delta goes on with is not in the new one.
    if (!positions.continuesDeltas(tenant, stream)) return 'epoch_raised';
    const ttlSeconds = await this.parts.ttlSeconds(tenant);
    const begins = positions.takeBeginning(tenant, stream, expect.epoch);
    const entry = { payload, eventId: null, fence, expect, begins, ttlSeconds };
    const outcome = await log.append(tenant, stream, entry);
    switch (outcome.kind) {
      case 'appended':
        positions.reached(tenant, stream, outcome.seq);
        return 'appended';
      case 'fenced':
        return 'fenced';
      case 'tail_lost':
        // The log's own fence is lost with it. Whoever has lost the run has nothing to say in the new epoch either.
        if ((await positions.raise(tenant, stream, expect)) > fence) return 'fenced';
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
