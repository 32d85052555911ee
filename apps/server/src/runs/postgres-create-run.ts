import type { CreateRunOutcome, NewRun, WhenActive } from '@plinth/engine';
import type { TenantId } from '@plinth/protocol';
import type { TenantTransaction } from '../platform/database/tenant-database.js';
import type { Row } from './postgres-columns.js';
import { insertRun, newRun } from './postgres-insert-run.js';
import { clearThread, joinOutbox, lockThread } from './postgres-locked-thread.js';
import { type OutboxRow, toOutboxEntries } from './postgres-outbox-rows.js';
import { runColumns } from './postgres-rows.js';
import { findInTree } from './postgres-thread-tree.js';

/** The unique index that a second run under the same idempotency key runs into. */
export const IDEMPOTENCY_INDEX = 'run_idempotency_key';

/**
 * `Ledger.createRun` inside a transaction. Locks are taken thread first, then its active run. The key is
 * looked up under the thread's lock: before it, a repeat could take the first request's own run for a run
 * that is in the way. For a new thread there is nothing to lock; there the unique index decides.
 */
export async function createRun(
  tx: TenantTransaction,
  tenant: TenantId,
  input: NewRun,
  whenActive: WhenActive,
): Promise<CreateRunOutcome> {
  const { threadId, endUserId, idempotency, now } = input;
  const thread = threadId === null ? null : await lockThread(tx, tenant, { endUserId }, threadId);
  if (threadId !== null && thread === null) return { kind: 'thread_not_found' };

  const earlier = idempotency && (await findByKey(tx, tenant, input, idempotency.key));
  if (earlier) {
    if (earlier.digest !== idempotency?.requestDigest) return { kind: 'key_reused' };
    return { kind: 'repeated', run: earlier.run };
  }
  if (input.text === null && !(await isAskedIn(tx, tenant, input))) return { kind: 'message_not_found' };

  const cleared = thread
    ? await clearThread(tx, tenant, thread.id, whenActive, now)
    : { closed: null, outbox: [] };
  if ('busy' in cleared) return { kind: 'busy', activeRunId: cleared.busy };

  const run = newRun(input);
  const rows = await tx.$queryRaw<OutboxRow[]>(insertRun(tenant, input, run, thread));
  const outbox = joinOutbox(cleared.outbox, toOutboxEntries(rows));
  return { kind: 'created', run, superseded: cleared.closed, outbox };
}

async function findByKey(tx: TenantTransaction, tenant: TenantId, input: NewRun, key: string) {
  const [row] = await tx.$queryRaw<{ run: Row; digest: string }[]>`
    SELECT to_json(r) AS run, r.request_digest AS digest FROM run r
     WHERE r.tenant_id = ${tenant} AND r.end_user_id = ${input.endUserId} AND r.idempotency_key = ${key}`;
  return row ? { run: runColumns.fromRow(row.run), digest: row.digest } : null;
}

/** Whether the message that is to be answered once more is a question of the thread's tree. */
async function isAskedIn(tx: TenantTransaction, tenant: TenantId, input: NewRun): Promise<boolean> {
  if (input.threadId === null) return false;
  return (await findInTree(tx, tenant, input.threadId, input.userMessageId))?.role === 'user';
}
