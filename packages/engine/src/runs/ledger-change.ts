import type { EventBody, ThreadEvent } from '@plinth/protocol';
import type { RememberedApproval } from '../tools/approval.js';
import type { Artifact, Interrupt, Run, RunRecord, ToolCall, Turn } from './run.js';
import { assertTransition } from './run-transitions.js';

export type RunPatch = Partial<
  Pick<
    Run,
    | 'status'
    | 'reason'
    | 'error'
    | 'usage'
    | 'leaseUntil'
    | 'attempts'
    | 'cancelRequestedAt'
    | 'eventEpoch'
    | 'eventTail'
    | 'contextCut'
    | 'finishedAt'
  >
>;
export type CallPatch = Partial<
  Pick<
    ToolCall,
    | 'argumentsEdited'
    | 'status'
    | 'approvedAt'
    | 'approval'
    | 'permission'
    | 'startedAt'
    | 'startedFence'
    | 'acceptedAt'
    | 'finishedAt'
    | 'resultText'
    | 'summary'
    | 'error'
    | 'artifactIds'
    | 'images'
    | 'fromCache'
    | 'enabledTools'
    | 'visibility'
  >
>;
export type InterruptPatch = Partial<
  Pick<
    Interrupt,
    | 'state'
    | 'answer'
    | 'answeredBy'
    | 'answeredAt'
    | 'answerRequestId'
    | 'consumedAt'
    | 'closedWhy'
    | 'lease'
    | 'expiresAt'
  >
>;

/** One change to the rows of a run. A list of them is applied in one transaction, in order, or not at all. */
export type LedgerChange =
  | { type: 'turn.append'; turn: Turn }
  | { type: 'call.create'; call: ToolCall }
  | { type: 'call.update'; callId: ToolCall['id']; set: CallPatch }
  | { type: 'interrupt.open'; interrupt: Interrupt }
  | { type: 'interrupt.update'; interruptId: Interrupt['id']; set: InterruptPatch }
  | { type: 'artifact.create'; artifact: Artifact }
  | { type: 'approval.remember'; approval: RememberedApproval }
  | { type: 'run.update'; set: RunPatch };

/** What a decision wants written: rows and the events that announce them, in one transaction. */
export interface Decision {
  changes: LedgerChange[];
  events: EventBody[];
  threadEvents?: ThreadEvent[];
  /** Time of the events, when a row says the same: a reader of events must see what the row says. Default: the commit's. */
  at?: number;
}

export const NOTHING: Decision = { changes: [], events: [] };

/** Joins decisions that are to be committed together, in this order. */
export function joinDecisions(decisions: readonly Decision[]): Decision {
  return {
    changes: decisions.flatMap((decision) => decision.changes),
    events: decisions.flatMap((decision) => decision.events),
    threadEvents: decisions.flatMap((decision) => decision.threadEvents ?? []),
  };
}

const patched = <T extends { id: string }>(rows: readonly T[], id: string, set: Partial<NoInfer<T>>): T[] =>
  rows.map((row) => (row.id === id ? { ...row, ...set } : row));

function applyChange(record: RunRecord, change: LedgerChange): RunRecord {
  switch (change.type) {
    case 'turn.append':
      return { ...record, turns: [...record.turns, change.turn] };
    case 'call.create':
      return { ...record, calls: [...record.calls, change.call] };
    case 'call.update':
      return { ...record, calls: patched(record.calls, change.callId, change.set) };
    case 'interrupt.open':
      return { ...record, interrupts: [...record.interrupts, change.interrupt] };
    case 'interrupt.update':
      return { ...record, interrupts: patched(record.interrupts, change.interruptId, change.set) };
    case 'artifact.create':
      return { ...record, artifacts: [...record.artifacts, change.artifact] };
    case 'approval.remember':
      // Of the thread, not of the run: see RememberedApprovals.
      return record;
    case 'run.update': {
      const to = change.set.status;
      if (to !== undefined && to !== record.run.status) assertTransition(record.run.status, to);
      return { ...record, run: { ...record.run, ...change.set } };
    }
  }
}

/**
 * What the ledger holds after these changes. The worker uses it to go on without reading back, the
 * in-memory ledger is made of it, and the Postgres ledger is tested against it.
 *
 * @throws IllegalTransition when the run's status cannot change that way.
 */
export function applyChanges<T extends RunRecord>(record: T, changes: readonly LedgerChange[]): T {
  return { ...record, ...changes.reduce<RunRecord>(applyChange, record) };
}
