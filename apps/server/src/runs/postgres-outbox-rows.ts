import { type OutboxEntry, toIso } from '@plinth/engine';
import type { EventBody, MessageId, RunId, TenantId, ThreadEvent, ThreadId } from '@plinth/protocol';
import { Prisma } from '../generated/prisma/client.js';
import type { ResultRow } from '../platform/database/pipeline.js';

/** An event on its way into the outbox. */
export interface NewEvent {
  kind: 'message' | 'thread';
  id: MessageId | ThreadId;
  payload: string;
}

/** Events of a run's own log. */
export function messageEvents(
  run: { id: RunId; messageId: MessageId },
  bodies: readonly EventBody[],
  now: number,
): NewEvent[] {
  const owner = { runId: run.id, messageId: run.messageId, at: toIso(now) };
  return bodies.map((body) => ({
    kind: 'message',
    id: run.messageId,
    payload: JSON.stringify({ ...body, ...owner }),
  }));
}

/** Events of a thread's log. */
export function threadEvents(threadId: ThreadId, events: readonly ThreadEvent[]): NewEvent[] {
  return events.map((event) => ({ kind: 'thread', id: threadId, payload: JSON.stringify(event) }));
}

/** One payload a line: as one text they need not be quoted once more, and JSON text has no line breaks of its own. */
const linesOf = (events: readonly NewEvent[]): string => events.map(({ payload }) => payload).join('\n');

/**
 * The INSERT of these events. Their ids must be given out in the order of commits, stream by stream: readers
 * publish in that order. A message stream is written under its run's lock. A thread stream has several
 * writers that share no row lock, so its writers queue at an advisory lock until they commit; it is taken
 * after all row locks by everybody, hence no deadlock. The sort stands below the ids' default, and the lock
 * below the sort.
 */
export function insertEvents(tenant: TenantId, events: readonly NewEvent[], now: number): Prisma.Sql {
  const thread = events.find((event) => event.kind === 'thread');
  const lock = thread
    ? Prisma.sql`, (SELECT pg_advisory_xact_lock(hashtextextended(${`${tenant}/${thread.id}`}, 0))) AS held`
    : Prisma.empty;
  const streams = [...new Map(events.map((event) => [event.id, event])).values()];
  const streamOf = events.map(({ id }) => streams.findIndex((stream) => stream.id === id) + 1);
  return Prisma.sql`
    INSERT INTO event_outbox (tenant_id, stream_kind, stream_id, payload, created_at)
    SELECT ${tenant}, (${streams.map(({ kind }) => kind)}::text[])[e.stream], (${streams.map(({ id }) => id)}::text[])[e.stream],
           e.payload, ${toIso(now)}::timestamptz
      FROM ROWS FROM (unnest(${streamOf}::int[]), string_to_table(${linesOf(events)}, E'\\n'))
           WITH ORDINALITY AS e(stream, payload, place)${lock}
     ORDER BY e.place
    RETURNING id, event_id, stream_kind, stream_id, payload`;
}

/**
 * The unpublished events of the streams that `events` go to, in the order of their commits: those that stood there
 * before, and the new ones, which only the INSERT itself (the write at `place`) can tell of.
 */
export function selectUnpublished(tenant: TenantId, events: readonly NewEvent[], place: number): Prisma.Sql {
  const columns = Prisma.sql`id, event_id::text AS "eventId", stream_kind AS "streamKind", stream_id AS "streamId", payload`;
  const streams = [...new Set(events.map((event) => event.id))];
  return Prisma.sql`
    SELECT ${columns} FROM event_outbox WHERE stream_id = ANY(${streams}::text[]) AND tenant_id = ${tenant}
    UNION ALL
    SELECT ${columns} FROM ${Prisma.raw(`write_${place}`)}
    ORDER BY id`;
}

/** Rows of `selectUnpublished` as the engine knows them. */
export function toOutboxEntries(rows: readonly ResultRow[]): OutboxEntry[] {
  return rows.map(
    ({ id, eventId, streamKind, streamId, payload }) =>
      ({ id, eventId, stream: { kind: streamKind, id: streamId }, payload }) as OutboxEntry,
  );
}
