import type { Viewer } from '@plinth/engine';
import {
  type EndReason,
  type MessageId,
  type Page,
  PlinthError,
  type RunId,
  type RunStatus,
  type RunView,
  type TenantId,
  usage,
} from '@plinth/protocol';
import type { Prisma } from '../generated/prisma/client.js';
import type { TenantDatabase } from '../platform/database/tenant-database.js';

const WITH_AGENT = {
  agentVersion: { select: { version: true, agent: { select: { key: true } } } },
} satisfies Prisma.RunInclude;
type RunRow = Prisma.RunGetPayload<{ include: typeof WITH_AGENT }>;

function toRunView(row: RunRow): RunView {
  return {
    id: row.id,
    threadId: row.threadId,
    messageId: row.messageId,
    agent: row.agentVersion.agent.key,
    agentVersion: row.agentVersion.version,
    status: row.status as RunStatus,
    reason: row.reason as EndReason | null,
    usage: usage.parse(row.usage),
    createdAt: row.createdAt.toISOString(),
    finishedAt: row.finishedAt?.toISOString() ?? null,
  };
}

/** Read model of runs for the API. What the viewer may not see is not there. */
export class RunReader {
  constructor(private readonly database: TenantDatabase) {}

  /** @throws PlinthError not_found */
  async get(tenant: TenantId, viewer: Viewer, id: RunId): Promise<RunView> {
    const row = await this.database.inTenant(tenant, viewer, (tx) =>
      tx.run.findUnique({ where: { tenantId_id: { tenantId: tenant, id } }, include: WITH_AGENT }),
    );
    if (!row) throw new PlinthError('not_found', 'There is no such run.');
    return toRunView(row);
  }

  /** Newest first. The cursor is the id of the last run of the page before: ids sort by the time they were made. */
  async list(
    tenant: TenantId,
    viewer: Viewer,
    query: { status?: RunStatus | undefined; cursor?: string | undefined; limit: number },
  ): Promise<Page<RunView>> {
    const rows = await this.database.inTenant(tenant, viewer, (tx) =>
      tx.run.findMany({
        where: {
          tenantId: tenant,
          ...(query.status ? { status: query.status } : {}),
          ...(query.cursor ? { id: { lt: query.cursor } } : {}),
        },
        include: WITH_AGENT,
        orderBy: { id: 'desc' },
        take: query.limit + 1,
      }),
    );
    const items = rows.slice(0, query.limit);
    return {
      items: items.map(toRunView),
      nextCursor: rows.length > query.limit ? (items.at(-1)?.id ?? null) : null,
    };
  }

  /** The run of an assistant message, and where its thread is. @throws PlinthError not_found */
  async ofMessage(
    tenant: TenantId,
    viewer: Viewer,
    messageId: MessageId,
  ): Promise<{ runId: RunId; ended: boolean }> {
    const row = await this.database.inTenant(tenant, viewer, (tx) =>
      tx.run.findUnique({
        where: { tenantId_messageId: { tenantId: tenant, messageId } },
        select: { id: true, finishedAt: true },
      }),
    );
    if (!row) throw new PlinthError('not_found', 'There is no such message.');
    return { runId: row.id as RunId, ended: row.finishedAt !== null };
  }
}
