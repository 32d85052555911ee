import type { RememberedApproval, RememberedApprovals, Viewer } from '@plinth/engine';
import type { TenantId, ThreadId } from '@plinth/protocol';
import type { TenantDatabase } from '../platform/database/tenant-database.js';

/** The approvals that hold for threads, in Postgres. The ledger writes them; row-level security says whose they are. */
export class PostgresApprovals implements RememberedApprovals {
  constructor(private readonly database: TenantDatabase) {}

  async remembered(tenant: TenantId, viewer: Viewer, threadId: ThreadId): Promise<RememberedApproval[]> {
    const rows = await this.database.inTenant(tenant, viewer, (tx) =>
      tx.rememberedApproval.findMany({
        where: { tenantId: tenant, threadId },
        orderBy: [{ createdAt: 'asc' }, { interruptId: 'asc' }],
      }),
    );
    return rows.map(({ interruptId, tool, definitionDigest, createdAt }) => ({
      interruptId: interruptId as RememberedApproval['interruptId'],
      tool,
      definitionDigest,
      createdAt: createdAt.getTime(),
    }));
  }

  /** Takes all wishes about a tool back: the next call that needs an approval asks again. Done twice, nothing is there. */
  async forget(tenant: TenantId, viewer: Viewer, threadId: ThreadId, tool: string): Promise<void> {
    await this.database.inTenant(tenant, viewer, (tx) =>
      tx.rememberedApproval.deleteMany({ where: { tenantId: tenant, threadId, tool } }),
    );
  }
}
