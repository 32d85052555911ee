import type { Ledger } from '@plinth/engine';
import { type ArtifactKind, artifactKind, type RunId, type TenantId } from '@plinth/protocol';
import type { TenantDatabase } from '../platform/database/tenant-database.js';
import { artifactInTree, sharedMessages } from '../runs/postgres-thread-tree.js';
import { WHOLE_TENANT } from '../tenants/whole-tenant.js';

export interface FoundArtifact {
  title: string;
  kind: ArtifactKind;
  mimeType: string;
  sizeBytes: number;
  storageKey: string;
}

/** The artifacts that a run may read: those of its thread's tree, which are its end user's. */
export class RunArtifacts {
  constructor(
    private readonly database: TenantDatabase,
    private readonly ledger: Pick<Ledger, 'findRun'>,
  ) {}

  /** Null when there is no such artifact, or it is another conversation's, end user's or tenant's. */
  async find(tenant: TenantId, runId: RunId, artifactId: string): Promise<FoundArtifact | null> {
    const run = await this.ledger.findRun(tenant, WHOLE_TENANT, runId);
    if (run === null) return null;
    const { threadId, endUserId } = run;
    // As the person whose run it is: row-level security hides what is somebody else's.
    const [row] = await this.database.inTenant(
      tenant,
      { endUserId },
      (tx) => tx.$queryRaw<FoundArtifact[]>`
        WITH RECURSIVE ${sharedMessages(tenant, threadId)}
        SELECT a.title, a.kind, a.mime_type AS "mimeType", a.size_bytes AS "sizeBytes", a.storage_key AS "storageKey"
          FROM artifact a
         WHERE a.tenant_id = ${tenant} AND a.id = ${artifactId} AND a.end_user_id = ${endUserId}
           AND ${artifactInTree(threadId)}`,
    );
    return row === undefined ? null : { ...row, kind: artifactKind.parse(row.kind) };
  }
}
