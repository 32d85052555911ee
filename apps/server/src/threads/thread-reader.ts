import type { Viewer } from '@plinth/engine';
import {
  type BranchView,
  type EndUserId,
  type Page,
  PlinthError,
  type TenantId,
  type ThreadId,
  type ThreadOrigin,
  type ThreadView,
} from '@plinth/protocol';
import { z } from 'zod';
import type { Prisma } from '../generated/prisma/client.js';
import type { TenantDatabase } from '../platform/database/tenant-database.js';
import { type PathNode, readPath, readTip } from './message-path.js';
import { decodeCursor, encodeCursor } from './page-cursor.js';

/** One run of a thread is active at most: a partial unique index sees to it. */
const ACTIVE = ['queued', 'running', 'interrupted'];
const THREAD_PARTS = {
  runs: { where: { status: { in: ACTIVE } }, select: { id: true }, take: 1 },
  forkedFrom: { select: { id: true, threadId: true, thread: { select: { title: true } } } },
} satisfies Prisma.ThreadInclude;
type ThreadRow = Prisma.ThreadGetPayload<{ include: typeof THREAD_PARTS }>;

/** What a page of a list is asked by. */
export interface PageQuery {
  cursor?: string | undefined;
  limit: number;
}

export interface ThreadQuery extends PageQuery {
  /** For an API key: threads of this end user only. An end user sees their own in any case. */
  endUserId?: EndUserId | undefined;
}

/** When the last thread of the page before was updated, and its id: many threads may share a millisecond. */
const threadPosition = z.tuple([z.number().int().min(0).max(8.64e15), z.string().max(100)]);
/** The node that an older page begins with. */
const pathPosition = z.tuple([z.string().min(1).max(100)]);

/** Read model of threads. What the viewer may not see is not there. */
export class ThreadReader {
  constructor(private readonly database: TenantDatabase) {}

  /** @throws PlinthError `not_found` */
  async get(tenant: TenantId, viewer: Viewer, id: ThreadId): Promise<ThreadView> {
    const row = await this.database.inTenant(tenant, viewer, (tx) =>
      tx.thread.findUnique({ where: { tenantId_id: { tenantId: tenant, id } }, include: THREAD_PARTS }),
    );
    if (row === null) throw threadNotFound(id);
    return toThreadView(row);
  }

  /** The one with the newest activity first. */
  async list(tenant: TenantId, viewer: Viewer, query: ThreadQuery): Promise<Page<ThreadView>> {
    // Said here too, although the row policy says it: the index starts with the end user.
    const endUserId = viewer.endUserId ?? query.endUserId;
    const rows = await this.database.inTenant(tenant, viewer, (tx) =>
      tx.thread.findMany({
        where: {
          tenantId: tenant,
          ...(endUserId === undefined ? {} : { endUserId }),
          ...(query.cursor === undefined ? {} : after(query.cursor)),
        },
        include: THREAD_PARTS,
        orderBy: [{ updatedAt: 'desc' }, { id: 'desc' }],
        take: query.limit + 1,
      }),
    );
    const items = rows.slice(0, query.limit);
    const last = rows.length > query.limit ? items.at(-1) : undefined;
    return {
      items: items.map(toThreadView),
      nextCursor: last === undefined ? null : encodeCursor([last.updatedAt.getTime(), last.id]),
    };
  }

  /**
   * The conversation as the chat shows it: the newest `limit` nodes on the path to the head, oldest of them
   * first; `nextCursor` leads to older ones. A page begins at a node, not at a count from the head, so that
   * messages which come in meanwhile do not shift it.
   *
   * @throws PlinthError `not_found`
   */
  async path(
    tenant: TenantId,
    viewer: Viewer,
    threadId: ThreadId,
    query: PageQuery,
  ): Promise<Page<PathNode>> {
    const from = query.cursor === undefined ? null : decodeCursor(query.cursor, pathPosition)[0];
    return this.database.inTenant(tenant, viewer, async (tx) => {
      const thread = await tx.thread.findUnique({
        where: { tenantId_id: { tenantId: tenant, id: threadId } },
        select: { headMessageId: true },
      });
      if (thread === null) throw threadNotFound(threadId);
      const start = from ?? thread.headMessageId;
      if (start === null) return { items: [], nextCursor: null };
      const { nodes, older } = await readPath(tx, { tenant, threadId, start, limit: query.limit });
      return { items: nodes.reverse(), nextCursor: older === null ? null : encodeCursor([older]) };
    });
  }

  /**
   * The newest end of the branch that begins with a message.
   *
   * @throws PlinthError `not_found` (thread, message)
   */
  async branch(tenant: TenantId, viewer: Viewer, threadId: ThreadId, messageId: string): Promise<BranchView> {
    const tip = await this.database.inTenant(tenant, viewer, (tx) =>
      readTip(tx, { tenant, threadId, from: messageId }),
    );
    if (tip === null)
      throw new PlinthError('not_found', 'The message is not in the tree of this thread.', { messageId });
    return { messageId, tipMessageId: tip };
  }
}

export function threadNotFound(threadId: ThreadId): PlinthError {
  return new PlinthError('not_found', 'There is no such thread.', { threadId });
}

function after(cursor: string): Prisma.ThreadWhereInput {
  const [updatedAtMs, id] = decodeCursor(cursor, threadPosition);
  const updatedAt = new Date(updatedAtMs);
  return { OR: [{ updatedAt: { lt: updatedAt } }, { updatedAt, id: { lt: id } }] };
}

/** A thread as clients see it. */
export function toThreadView(row: ThreadRow): ThreadView {
  return {
    id: row.id,
    title: row.title,
    forkedFrom: toOrigin(row.forkedFrom),
    headMessageId: row.headMessageId,
    activeRunId: row.runs[0]?.id ?? null,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}

function toOrigin(from: ThreadRow['forkedFrom']): ThreadOrigin | null {
  return from === null ? null : { threadId: from.threadId, messageId: from.id, title: from.thread.title };
}
