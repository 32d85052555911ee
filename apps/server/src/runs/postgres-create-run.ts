import {
  type CreateRunOutcome,
  type NewRun,
  newStreams,
  type RepeatedRun,
  type WhenActive,
} from '@plinth/engine';
import type { EndUserId, TenantId } from '@plinth/protocol';
import { Prisma } from '../generated/prisma/client.js';
import type { ResultRow } from '../platform/database/pipeline.js';
import type { TenantDatabase } from '../platform/database/tenant-database.js';
import type { Row } from './postgres-columns.js';
import { insertRun, newRun } from './postgres-insert-run.js';
import { lockActiveRun, toLockedRun } from './postgres-locked-run.js';
import { clearThread, joinOutbox, type LockedThread, lockThread } from './postgres-locked-thread.js';
import { toOutboxEntries } from './postgres-outbox-rows.js';
import { runColumns } from './postgres-rows.js';
import { type TreeNode, treeNode } from './postgres-thread-tree.js';

/** The unique index that a second run under the same idempotency key runs into. */
export const IDEMPOTENCY_INDEX = 'run_idempotency_key';

/** `created`, before what is unpublished is known. */
type Decided =
  | Exclude<CreateRunOutcome, { kind: 'created' }>
  | Omit<Extract<CreateRunOutcome, { kind: 'created' }>, 'outbox'>;

type Read = Record<'thread' | 'earlier' | 'run' | 'parts' | 'asked', ResultRow[]>;

/**
 * `Ledger.createRun`. Locks are taken thread first, then its active run. The key is looked up under the thread's lock:
 * before it, a repeat could take the first request's own run for a run that is in the way. For a new thread there is
 * nothing to lock; there the unique index decides.
 */
export async function createRun(
  database: TenantDatabase,
  tenant: TenantId,
  input: NewRun,
  whenActive: WhenActive,
): Promise<CreateRunOutcome> {
  const { threadId, endUserId, userMessageId, text, idempotency } = input;
  const noRun = { run: null, parts: null };
  const opening = {
    thread: threadId === null ? null : lockThread(tenant, { endUserId }, threadId),
    earlier: idempotency === null ? null : runByKey(tenant, endUserId, idempotency.key),
    ...(threadId === null ? noRun : lockActiveRun(tenant, threadId)),
    asked: threadId === null || text !== null ? null : treeNode(tenant, threadId, userMessageId),
  };
  const { result, written } = await database.decide(tenant, { endUserId }, opening, (read) =>
    choose(tenant, input, whenActive, read),
  );
  if (result.kind !== 'created') return result;
  return { ...result, outbox: joinOutbox(written.map(toOutboxEntries)) };
}

function choose(
  tenant: TenantId,
  input: NewRun,
  whenActive: WhenActive,
  read: Read,
): { writes: Prisma.Sql[]; result: Decided } {
  const refused = (result: Decided) => ({ writes: [], result });
  const [thread = null] = read.thread as unknown as LockedThread[];
  if (input.threadId !== null && thread === null) return refused({ kind: 'thread_not_found' });

  const repeated = toRepeated(read.earlier, input.idempotency);
  if (repeated) return refused(repeated);
  if (input.text === null && (read.asked as unknown as TreeNode[])[0]?.role !== 'user')
    return refused({ kind: 'message_not_found' });

  const cleared = clearThread(tenant, toLockedRun(read), whenActive, input.now);
  if ('busy' in cleared) return refused({ kind: 'busy', activeRunId: cleared.busy });
  const run = newRun(input);
  return {
    writes: [...cleared.writes, insertRun(tenant, input, run, thread)],
    result: { kind: 'created', run, superseded: cleared.closed, begins: newStreams(input) },
  };
}

/** `Ledger.findRepeated`. */
export async function findRepeated(
  database: TenantDatabase,
  tenant: TenantId,
  endUserId: EndUserId,
  idempotency: { key: string; requestDigest: string },
): Promise<RepeatedRun | null> {
  const [rows = []] = await database.send(tenant, { endUserId }, [
    runByKey(tenant, endUserId, idempotency.key),
  ]);
  return toRepeated(rows, idempotency);
}

function toRepeated(
  rows: readonly ResultRow[],
  idempotency: { requestDigest: string } | null,
): RepeatedRun | null {
  const [earlier] = rows as { run: Row; digest: string }[];
  if (!earlier) return null;
  const same = earlier.digest === idempotency?.requestDigest;
  return same ? { kind: 'repeated', run: runColumns.fromRow(earlier.run) } : { kind: 'key_reused' };
}

const runByKey = (tenant: TenantId, endUserId: EndUserId, key: string): Prisma.Sql => Prisma.sql`
    SELECT to_json(r) AS run, r.request_digest AS digest FROM run r
     WHERE r.tenant_id = ${tenant} AND r.end_user_id = ${endUserId} AND r.idempotency_key = ${key}`;
