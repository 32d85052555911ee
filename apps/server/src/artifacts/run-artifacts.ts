import type { Ledger } from '@plinth/engine';
import {
  type ArtifactAuthor,
  type ArtifactId,
  type ArtifactKind,
  artifactKind,
  type EndUserId,
  type RunId,
  type TenantId,
  type ThreadId,
} from '@plinth/protocol';
import type { TenantDatabase } from '../platform/database/tenant-database.js';
import { artifactInTree, sharedMessages } from '../runs/postgres-thread-tree.js';
import { WHOLE_TENANT } from '../tenants/whole-tenant.js';

export interface FoundArtifact {
  id: ArtifactId;
  title: string;
  kind: ArtifactKind;
  mimeType: string;
  sizeBytes: number;
  storageKey: string;
  sha256: string;
  version: number;
  /** Who made this version. */
  authorKind: ArtifactAuthor['kind'];
  /** The newest version that a model has made; null when none has. */
  modelVersion: number | null;
  /** The run's own, which may be a fork of the one that the artifact was made in. */
  runThreadId: ThreadId;
  endUserId: EndUserId;
}

type Row = Omit<FoundArtifact, 'runThreadId' | 'endUserId'>;

/** The artifacts that a run may read and change: those of its thread's tree, which are its end user's. */
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
      (tx) => tx.$queryRaw<Row[]>`
        WITH RECURSIVE ${sharedMessages(tenant, threadId)}
        SELECT a.id, a.title, a.kind, a.mime_type AS "mimeType", a.size_bytes AS "sizeBytes",
               a.storage_key AS "storageKey", a.sha256, a.version, v.author_kind AS "authorKind",
               (SELECT max(m.version) FROM artifact_version m
                 WHERE m.tenant_id = a.tenant_id AND m.artifact_id = a.id AND m.author_kind = 'model') AS "modelVersion"
          FROM artifact a
          JOIN artifact_version v ON v.tenant_id = a.tenant_id AND v.artifact_id = a.id AND v.version = a.version
         WHERE a.tenant_id = ${tenant} AND a.id = ${artifactId} AND a.end_user_id = ${endUserId}
           AND ${artifactInTree(threadId)}`,
    );
    return row === undefined
      ? null
      : { ...row, kind: artifactKind.parse(row.kind), runThreadId: threadId, endUserId };
  }

  /** Where the bytes of a version of it are; null when there is no such version. */
  async storageKey(
    tenant: TenantId,
    { id, endUserId }: Pick<FoundArtifact, 'id' | 'endUserId'>,
    version: number,
  ): Promise<string | null> {
    const key = { tenantId: tenant, artifactId: id, version };
    const row = await this.database.inTenant(tenant, { endUserId }, (tx) =>
      tx.artifactVersion.findUnique({
        where: { tenantId_artifactId_version: key },
        select: { storageKey: true },
      }),
    );
    return row?.storageKey ?? null;
  }
}

/** For the model: that its own version is not the newest one any more. Null when it is. */
export function changedSince({ version, authorKind, modelVersion }: FoundArtifact): string | null {
  if (authorKind === 'model' || modelVersion === null) return null;
  const who = authorKind === 'end_user' ? 'The user' : 'The product around you';
  return `${who} has changed it since your version ${modelVersion}: version ${version} is the newest. Keep those changes.`;
}
