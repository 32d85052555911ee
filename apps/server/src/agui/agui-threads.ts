import type { Clock, IdSource } from '@plinth/engine';
import type { EndUserId, MessageId, RunId, TenantId, ThreadId } from '@plinth/protocol';
import { violatesUnique } from '../platform/database/database-errors.js';
import type { TenantDatabase } from '../platform/database/tenant-database.js';
import { storable } from '../runs/postgres-write-rows.js';
import { runKey } from './request-keys.js';

/** Newest user messages of a request that are looked up. */
const MOST_MESSAGES = 1_000;

/** A run, by the client's user message that it took. */
export interface TakenMessage {
  runId: RunId;
  messageId: MessageId;
  userMessageId: MessageId;
}

/** Which thread an AG-UI client means. Names are the client's own, and each end user has theirs. */
export class AguiThreads {
  constructor(
    private readonly database: TenantDatabase,
    private readonly clock: Clock,
    private readonly ids: IdSource,
  ) {}

  /** Null: nothing was said in this conversation yet. */
  async find(tenant: TenantId, endUserId: EndUserId, name: string): Promise<ThreadId | null> {
    const row = await this.database.inTenant(tenant, { endUserId }, (tx) =>
      tx.aguiThread.findUnique({
        where: { tenantId_endUserId_name: { tenantId: tenant, endUserId, name } },
        select: { threadId: true },
      }),
    );
    return (row?.threadId as ThreadId | undefined) ?? null;
  }

  /** The thread of this name, made now if there is none. Of two requests at once both get the same. */
  async open(tenant: TenantId, endUserId: EndUserId, name: string, title: string): Promise<ThreadId> {
    const found = await this.find(tenant, endUserId, name);
    if (found !== null) return found;
    const now = new Date(this.clock.now());
    const threadId = this.ids.next('thread') as ThreadId;
    try {
      await this.database.inTenant(tenant, { endUserId }, async (tx) => {
        await tx.thread.create({
          data: {
            tenantId: tenant,
            id: threadId,
            endUserId,
            title: storable(title),
            createdAt: now,
            updatedAt: now,
          },
        });
        await tx.aguiThread.create({ data: { tenantId: tenant, endUserId, name, threadId, createdAt: now } });
      });
      return threadId;
    } catch (error) {
      if (!violatesUnique(error, 'agui_thread_pkey')) throw error;
      const other = await this.find(tenant, endUserId, name);
      if (other === null) throw error;
      return other;
    }
  }

  /** Those of the client's user messages that a run has taken, by the client's ids. */
  async taken(
    tenant: TenantId,
    endUserId: EndUserId,
    name: string,
    messageIds: readonly string[],
  ): Promise<Map<string, TakenMessage>> {
    const idOf = new Map(messageIds.slice(-MOST_MESSAGES).map((id) => [runKey(name, id), id]));
    if (idOf.size === 0) return new Map();
    const rows = await this.database.inTenant(tenant, { endUserId }, (tx) =>
      tx.run.findMany({
        where: { tenantId: tenant, endUserId, idempotencyKey: { in: [...idOf.keys()] } },
        select: { id: true, messageId: true, userMessageId: true, idempotencyKey: true },
      }),
    );
    return new Map(
      rows.map((row) => [
        idOf.get(row.idempotencyKey ?? '') ?? '',
        {
          runId: row.id as RunId,
          messageId: row.messageId as MessageId,
          userMessageId: row.userMessageId as MessageId,
        },
      ]),
    );
  }
}
