import type {
  Artifact,
  Attachment,
  LockedRun,
  OutboxEntry,
  RememberedApproval,
  RunRecord,
  StreamRef,
  Viewer,
} from '@plinth/engine';
import type { EndUserId, MessageId, RunId, TenantId, ThreadId } from '@plinth/protocol';

/** The tables of the in-memory ledger. */

export interface ThreadRow {
  id: ThreadId;
  endUserId: EndUserId;
  headMessageId: MessageId | null;
  forkedFromId: MessageId | null;
  eventEpoch: number;
  eventTail: number;
}

export type MessageRow = { id: MessageId; threadId: ThreadId; parentId: MessageId | null } & (
  | { role: 'user'; text: string; attachments: Attachment[] }
  | { role: 'assistant'; runId: RunId }
);

export interface RunRow {
  record: RunRecord;
  queuedAt: number;
  idempotency: { key: string; requestDigest: string } | null;
}

export interface TenantRows {
  threads: Map<ThreadId, ThreadRow>;
  messages: Map<MessageId, MessageRow>;
  runs: Map<RunId, RunRow>;
  /** Artifacts of no run: what people sent along. Those of a run are in its record. */
  artifacts: Artifact[];
  approvals: (RememberedApproval & { threadId: ThreadId; endUserId: EndUserId })[];
}

export interface EventRow extends OutboxEntry {
  tenant: TenantId;
  createdAt: number;
}

export const noRows = (): TenantRows => ({
  threads: new Map(),
  messages: new Map(),
  runs: new Map(),
  artifacts: [],
  approvals: [],
});

export const maySee = (viewer: Viewer, endUserId: EndUserId): boolean =>
  viewer.endUserId === null || viewer.endUserId === endUserId;

export const sameStream = (a: StreamRef, b: StreamRef): boolean => a.kind === b.kind && a.id === b.id;

/** Sorts copies by when they were made, ids breaking ties. */
export const inOrder = <Row extends { id: string }>(
  rows: readonly Row[],
  madeAt: (row: Row) => number,
): Row[] => [...rows].sort((a, b) => madeAt(a) - madeAt(b) || (a.id < b.id ? -1 : 1));

/** The part of a record from one turn on, in the order in which every ledger returns it. */
export function recordFrom(record: RunRecord, fromTurn: number): RunRecord {
  const calls = record.calls.filter((call) => call.turnIndex >= fromTurn);
  const known = new Set<string>(calls.map((call) => call.id));
  return structuredClone({
    run: record.run,
    turns: record.turns.filter((turn) => turn.index >= fromTurn).sort((a, b) => a.index - b.index),
    calls: calls.sort((a, b) => a.turnIndex - b.turnIndex || a.position - b.position),
    interrupts: inOrder(
      record.interrupts.filter((interrupt) => known.has(interrupt.callId)),
      (row) => row.openedAt,
    ),
    artifacts: inOrder(
      record.artifacts.filter((artifact) => artifact.callId === null || known.has(artifact.callId)),
      (row) => row.createdAt,
    ),
  });
}

/** What a decision about the run may rest on. */
export function lockedRun({ record }: RunRow): LockedRun {
  const { run, calls, interrupts } = recordFrom(record, 0);
  return {
    run,
    openCalls: calls.filter((call) => call.status === 'pending' || call.status === 'started'),
    waits: interrupts.filter(
      ({ state, answeredAt, consumedAt }) => state === 'open' || (answeredAt !== null && consumedAt === null),
    ),
  };
}
