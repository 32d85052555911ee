import type { Clock, IdSource } from '@plinth/engine';
import type { EndUserId, TenantId, ThreadView } from '@plinth/protocol';
import type { TenantDatabase } from '../platform/database/tenant-database.js';
import { storable } from '../runs/postgres-write-rows.js';
import { toThreadView } from './thread-reader.js';

/** Makes threads. What happens in them is the ledger's. */
export class Threads {
  constructor(
    private readonly database: TenantDatabase,
    private readonly clock: Clock,
    private readonly ids: IdSource,
  ) {}

  /** An empty thread of this end user. */
  async create(
    tenant: TenantId,
    endUserId: EndUserId,
    { title }: { title: string | null },
  ): Promise<ThreadView> {
    const now = new Date(this.clock.now());
    const row = await this.database.inTenant(tenant, { endUserId }, (tx) =>
      tx.thread.create({
        data: {
          tenantId: tenant,
          id: this.ids.next('thread'),
          endUserId,
          title: title === null ? null : storable(title),
          createdAt: now,
          updatedAt: now,
        },
      }),
    );
    return toThreadView({ ...row, runs: [], forkedFrom: null });
  }
}
