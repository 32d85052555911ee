import { applyChanges, type Decision, hasEnded, type Run, type WhenActive } from '@plinth/engine';
import type { RunId, ThreadId } from '@plinth/protocol';
import type { MemoryOutbox } from './memory-outbox.js';
import { lockedRun, type RunRow, type TenantRows } from './memory-rows.js';

/** What the parts of the in-memory ledger work on. */
export interface Tables {
  rows: TenantRows;
  outbox: MemoryOutbox;
  commit(row: RunRow, decision: Decision): void;
}

/** Closes the active run of the thread, if there is one and `whenActive` says so; the run as it is after that. */
export function clearThread(
  { rows, commit }: Tables,
  threadId: ThreadId,
  whenActive: WhenActive,
): { closed: Run | null } | { busy: RunId } {
  const active = [...rows.runs.values()].find(
    ({ record: { run } }) => run.threadId === threadId && !hasEnded(run.status),
  );
  if (!active) return { closed: null };
  const decision = whenActive(lockedRun(active));
  if (decision === null) return { busy: active.record.run.id };
  const after = applyChanges(active.record, decision.changes);
  if (!hasEnded(after.run.status)) throw new Error(`thread ${threadId} has an active run`);
  commit(active, decision);
  return { closed: structuredClone(active.record.run) };
}
