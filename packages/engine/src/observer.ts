import type { EndReason, RunId, TenantId } from '@plinth/protocol';
import type { DefinitionVerdict } from './tools/compare-definitions.js';

/** What the engine tells of its work. The server makes metrics of it; the engine decides nothing by it. */
export interface EngineObserver {
  resumed(tenant: TenantId, source: 'snapshot' | 'rebuild'): void;
  snapshotRead(tenant: TenantId, outcome: 'hit' | 'absent' | 'corrupt', decodeMs: number): void;
  snapshotWritten(tenant: TenantId, sizes: { rawBytes: number; storedBytes: number; encodeMs: number }): void;
  /** A snapshot has become larger than the tenant's alarm. `bytes`: as it is stored. */
  snapshotTooLarge(tenant: TenantId, about: { runId: RunId; bytes: number; alarmBytes: number }): void;
  turnEnded(tenant: TenantId, timing: { modelMs: number; overheadMs: number }): void;
  runEnded(tenant: TenantId, reason: EndReason): void;
  /** A run was gone on with, and a tool of a call that waits was compared with the newest published definition. */
  definitionCompared(tenant: TenantId, verdict: DefinitionVerdict): void;
  /** Something that must not happen did, and the run was ended by it or went on without it. */
  problem(tenant: TenantId, about: { runId: string; doing: string }, error: unknown): void;
}

export const SILENT_OBSERVER: EngineObserver = {
  resumed: () => {},
  snapshotRead: () => {},
  snapshotWritten: () => {},
  snapshotTooLarge: () => {},
  turnEnded: () => {},
  runEnded: () => {},
  definitionCompared: () => {},
  problem: () => {},
};
