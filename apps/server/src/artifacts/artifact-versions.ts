import { type ArtifactStore, type Clock, type EventWriter, toIso, type Viewer } from '@plinth/engine';
import {
  type ArtifactAuthor,
  type ArtifactId,
  type ArtifactView,
  artifactKind,
  PlinthError,
  type TenantId,
  type ThreadId,
} from '@plinth/protocol';
import { type Artifact, type ArtifactVersion, Prisma } from '../generated/prisma/client.js';
import type { TenantDatabase } from '../platform/database/tenant-database.js';
import {
  insertEvents,
  type NewEvent,
  selectUnpublished,
  threadEvents,
  toOutboxEntries,
} from '../runs/postgres-outbox-rows.js';
import { inOneStatement, insertRows } from '../runs/postgres-write-rows.js';
import { artifactNotFound } from './artifact-reader.js';
import { authorColumns, authorOf, toArtifactView } from './artifact-row.js';
import { nextType } from './next-type.js';

export interface NewVersion {
  artifactId: ArtifactId;
  /** The version that was changed. Another one is the newest by now: nothing is written. */
  baseVersion: number;
  bytes: Uint8Array;
  author: ArtifactAuthor;
  contentType?: string | undefined;
  /** A thread beside the artifact's own that hears of it: the fork in which it was changed. */
  alsoIn?: ThreadId | undefined;
}

/** What is there instead of the version that a change was based on. */
export interface NewestVersion {
  artifact: ArtifactView;
  author: ArtifactAuthor;
  changedAt: string;
}

export type SaveOutcome =
  /** `isNew` is false for a repeat, and for bytes that are those of the base: nothing was written then. */
  { kind: 'saved'; artifact: ArtifactView; isNew: boolean } | { kind: 'conflict'; newest: NewestVersion };

export interface VersionPorts {
  database: TenantDatabase;
  store: Pick<ArtifactStore, 'put'>;
  writer: Pick<EventWriter, 'publish'>;
  clock: Clock;
  /** They are in the outbox, and the sweeper publishes them. */
  onPublishError(tenant: TenantId, error: unknown): void;
}

type VersionRow = ArtifactVersion & { createdAt: Date };

/** Makes versions of artifacts. Of two who change the same one, the second is told. */
export class ArtifactVersions {
  constructor(private readonly ports: VersionPorts) {}

  /**
   * Makes the next version, and tells the artifact's thread. The same change again (same base, same bytes, same author; or
   * the same call) gives the version that it made.
   *
   * @throws PlinthError `not_found`, `artifact_kind_mismatch`
   */
  async save(tenant: TenantId, viewer: Viewer, change: NewVersion): Promise<SaveOutcome> {
    const { database, store, writer, clock } = this.ports;
    const { artifactId, bytes, contentType } = change;
    const before = await database.inTenant(tenant, viewer, (tx) =>
      tx.artifact.findUnique({ where: { tenantId_id: { tenantId: tenant, id: artifactId } } }),
    );
    if (before === null) throw artifactNotFound(artifactId);
    const current = { kind: artifactKind.parse(before.kind), mimeType: before.mimeType };
    const type = await nextType(current, bytes, { name: before.title, contentType });
    if (type === null) throw kindMismatch(before);
    // Before the row that names them. Those that no row will name are as harmless as a cut result's.
    const stored = await store.put(tenant, bytes);
    const now = clock.now();
    const { result, written } = await database.decide(tenant, viewer, opening(tenant, change), (read) =>
      choose(tenant, change, { mimeType: type.mimeType, ...stored }, read as never, now),
    );
    if (result.kind === 'saved' && result.isNew) {
      const entries = written.flatMap(toOutboxEntries);
      await writer
        .publish(tenant, entries)
        .catch((error: unknown) => this.ports.onPublishError(tenant, error));
    }
    return result;
  }
}

const ARTIFACT = Prisma.sql`
  tenant_id AS "tenantId", id, thread_id AS "threadId", end_user_id AS "endUserId", run_id AS "runId",
  call_id AS "callId", kind, mime_type AS "mimeType", title, version, storage_key AS "storageKey",
  size_bytes AS "sizeBytes", sha256, open, created_at AS "createdAt"`;
const VERSION = Prisma.sql`
  tenant_id AS "tenantId", artifact_id AS "artifactId", version, end_user_id AS "endUserId", kind, mime_type AS "mimeType",
  title, storage_key AS "storageKey", size_bytes AS "sizeBytes", sha256, author_kind AS "authorKind",
  author_id AS "authorId", run_id AS "runId", call_id AS "callId", created_at AS "createdAt"`;

/** The artifact, locked, and then the versions that decide: a second statement, so that it sees what the lock waited for. */
function opening(tenant: TenantId, { artifactId, baseVersion, author }: NewVersion) {
  const callId = author.kind === 'model' ? author.callId : null;
  return {
    artifact: Prisma.sql`
      SELECT ${ARTIFACT} FROM artifact WHERE tenant_id = ${tenant} AND id = ${artifactId} FOR NO KEY UPDATE`,
    versions: Prisma.sql`
      SELECT ${VERSION} FROM artifact_version v
       WHERE v.tenant_id = ${tenant} AND v.artifact_id = ${artifactId}
         AND (v.version = ${baseVersion + 1}::int OR v.call_id = ${callId}::text
              OR v.version = (SELECT a.version FROM artifact a WHERE a.tenant_id = v.tenant_id AND a.id = v.artifact_id))`,
  };
}

type StoredBytes = Pick<Artifact, 'mimeType' | 'storageKey' | 'sizeBytes' | 'sha256'>;

function choose(
  tenant: TenantId,
  change: NewVersion,
  stored: StoredBytes,
  read: { artifact: Artifact[]; versions: VersionRow[] },
  now: number,
): { writes: Prisma.Sql[]; result: SaveOutcome } {
  const { artifactId, baseVersion, author } = change;
  const [row] = read.artifact;
  if (row === undefined) throw artifactNotFound(artifactId);
  const again = read.versions.find((version) => isRepeat(version, change, stored));
  const same = again ?? (row.version === baseVersion && row.sha256 === stored.sha256 ? row : undefined);
  if (same !== undefined)
    return { writes: [], result: { kind: 'saved', artifact: toArtifactView(row, same), isNew: false } };
  const newest = read.versions.find(({ version }) => version === row.version);
  if (newest === undefined) throw new Error(`artifact ${artifactId} has no version ${row.version}`);
  if (row.version !== baseVersion)
    return {
      writes: [],
      result: {
        kind: 'conflict',
        newest: {
          artifact: toArtifactView(row),
          author: authorOf(newest),
          changedAt: newest.createdAt.toISOString(),
        },
      },
    };

  const next: Artifact = { ...row, ...stored, version: baseVersion + 1 };
  const artifact = toArtifactView(next);
  return {
    writes: writesOf(tenant, next, { artifact, author, at: toIso(now), alsoIn: change.alsoIn }, now),
    result: { kind: 'saved', artifact, isNew: true },
  };
}

/** Whether a version is what this very change has made: its call's, or the same bytes by the same hand on the same base. */
function isRepeat(
  version: VersionRow,
  { author, baseVersion }: NewVersion,
  { sha256 }: StoredBytes,
): boolean {
  const by = authorOf(version);
  if (author.kind === 'model')
    return author.callId !== null && by.kind === 'model' && by.callId === author.callId;
  return (
    version.version === baseVersion + 1 &&
    version.sha256 === sha256 &&
    by.kind === author.kind &&
    by.id === author.id
  );
}

interface Announced {
  artifact: ArtifactView;
  author: ArtifactAuthor;
  at: string;
  alsoIn: ThreadId | undefined;
}

/** The rows with the event of one thread; the event of another one apart, each under its own lock, in one order. */
function writesOf(tenant: TenantId, next: Artifact, announced: Announced, now: number): Prisma.Sql[] {
  const { artifact, author, at, alsoIn } = announced;
  const row = {
    tenant_id: tenant,
    artifact_id: next.id,
    version: next.version,
    end_user_id: next.endUserId,
    kind: next.kind,
    mime_type: next.mimeType,
    title: next.title,
    storage_key: next.storageKey,
    size_bytes: next.sizeBytes,
    sha256: next.sha256,
    ...authorColumns(author),
    created_at: at,
  };
  const update = Prisma.sql`
    UPDATE artifact SET version = ${next.version}, mime_type = ${next.mimeType}, storage_key = ${next.storageKey},
           size_bytes = ${next.sizeBytes}, sha256 = ${next.sha256}
     WHERE tenant_id = ${tenant} AND id = ${next.id}`;
  const threads = [...new Set([next.threadId as ThreadId, ...(alsoIn === undefined ? [] : [alsoIn])])].sort();
  return threads.map((threadId, place) => {
    const events = threadEvents(threadId, [{ type: 'artifact.updated', threadId, artifact, author, at }]);
    const rows = place === 0 ? [update, insertRows('artifact_version', [row])] : [];
    return announcing(tenant, rows, events, now);
  });
}

function announcing(tenant: TenantId, rows: Prisma.Sql[], events: NewEvent[], now: number): Prisma.Sql {
  return inOneStatement(
    [...rows, insertEvents(tenant, events, now)],
    selectUnpublished(tenant, events, rows.length),
  );
}

function kindMismatch({ id, kind, mimeType, version }: Artifact): PlinthError {
  return new PlinthError(
    'artifact_kind_mismatch',
    `These bytes are no ${kind} (${mimeType}). An artifact keeps its kind: make a new one for something else.`,
    { artifactId: id, kind, mimeType, version },
  );
}
