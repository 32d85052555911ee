import type { Clock, EventOutbox, OutboxEntry, RaisedEpoch, StreamRef, Viewer } from '@plinth/engine';
import type { TenantId, ThreadEvent, ThreadId } from '@plinth/protocol';
import { Prisma } from '../generated/prisma/client.js';
import type { TenantDatabase } from '../platform/database/tenant-database.js';
import { insertEvents, threadEvents } from './postgres-outbox-rows.js';

const WHOLE_TENANT: Viewer = { endUserId: null };

/** The rows that know a stream's position: a message's log belongs to its run, a thread's to the thread. */
const owner = (tenant: TenantId, stream: StreamRef): { table: Prisma.Sql; condition: Prisma.Sql } =>
  stream.kind === 'message'
    ? { table: Prisma.sql`run`, condition: Prisma.sql`tenant_id = ${tenant} AND message_id = ${stream.id}` }
    : { table: Prisma.sql`thread`, condition: Prisma.sql`tenant_id = ${tenant} AND id = ${stream.id}` };

/** The outbox in Postgres. */
export class PostgresOutbox implements EventOutbox {
  constructor(
    private readonly database: TenantDatabase,
    private readonly clock: Clock,
  ) {}

  async pending(tenant: TenantId, stream: StreamRef): Promise<OutboxEntry[]> {
    const [rows = []] = await this.database.send(tenant, WHOLE_TENANT, [
      Prisma.sql`
      SELECT id, event_id::text AS "eventId", payload FROM event_outbox
       WHERE tenant_id = ${tenant} AND stream_kind = ${stream.kind} AND stream_id = ${stream.id}
       ORDER BY id`,
    ]);
    return (rows as unknown as Omit<OutboxEntry, 'stream'>[]).map((row) => ({ ...row, stream }));
  }

  /**
   * Deletes the entries. A thread's tail grows by their number: nothing else is ever written to a thread's log,
   * so this is how far it is known to reach. A message's tail is recorded with the run, deltas included.
   */
  async markPublished(tenant: TenantId, ids: readonly bigint[]): Promise<void> {
    if (ids.length === 0) return;
    await this.database.send(tenant, WHOLE_TENANT, [
      Prisma.sql`
      WITH published AS (
        DELETE FROM event_outbox WHERE tenant_id = ${tenant} AND id = ANY(${[...ids]}::bigint[])
        RETURNING stream_kind, stream_id
      ), counted AS (
        SELECT stream_id, count(*)::int AS entries FROM published WHERE stream_kind = 'thread' GROUP BY stream_id
      )
      UPDATE thread SET event_tail = event_tail + counted.entries
        FROM counted WHERE thread.tenant_id = ${tenant} AND thread.id = counted.stream_id`,
    ]);
  }

  async announce(tenant: TenantId, event: ThreadEvent): Promise<void> {
    const events = threadEvents(event.threadId as ThreadId, [event]);
    await this.database.send(tenant, WHOLE_TENANT, [insertEvents(tenant, events, this.clock.now())]);
  }

  async position(tenant: TenantId, stream: StreamRef): Promise<{ epoch: number; tail: number }> {
    const { table, condition } = owner(tenant, stream);
    const row = await this.database.sendOne<{ epoch: number; tail: number }>(
      tenant,
      WHOLE_TENANT,
      Prisma.sql`
      SELECT event_epoch AS epoch, event_tail AS tail FROM ${table} WHERE ${condition}`,
    );
    return row ?? missing(stream);
  }

  /** One UPDATE that decides by the row's newest version: of two at once, one raises and the other reads the result. */
  async raiseEpoch(tenant: TenantId, stream: StreamRef, from: number): Promise<RaisedEpoch> {
    const { table, condition } = owner(tenant, stream);
    const fence = stream.kind === 'message' ? Prisma.sql`fence` : Prisma.sql`0`;
    const found = Prisma.sql`event_epoch AS epoch, ${fence} AS fence`;
    const send = (statement: Prisma.Sql) =>
      this.database.sendOne<{ epoch: number; fence: number }>(tenant, WHOLE_TENANT, statement);
    const raised = await send(Prisma.sql`
      UPDATE ${table} SET event_epoch = event_epoch + 1, event_tail = 0
       WHERE ${condition} AND event_epoch = ${from} RETURNING ${found}`);
    if (raised) return { ...raised, raised: true };
    const row = await send(Prisma.sql`SELECT ${found} FROM ${table} WHERE ${condition}`);
    return { ...(row ?? missing(stream)), raised: false };
  }
}

function missing(stream: StreamRef): never {
  throw new Error(`there is no ${stream.kind} ${stream.id} in this tenant, so it has no event log`);
}
