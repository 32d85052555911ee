import type { EndReason, RunId, TenantId } from '@plinth/protocol';
import type { CutKind } from './context/cut-kinds.js';
import type { DefinitionVerdict } from './tools/compare-definitions.js';

/** What the engine tells of its work. The server makes metrics of it; the engine decides nothing by it. */
export interface EngineObserver {
  resumed(tenant: TenantId, source: 'snapshot' | 'rebuild'): void;
  snapshotRead(tenant: TenantId, outcome: 'hit' | 'absent' | 'corrupt', decodeMs: number): void;
  snapshotWritten(tenant: TenantId, sizes: { rawBytes: number; storedBytes: number; encodeMs: number }): void;
  /** A snapshot has become larger than the tenant's alarm. `bytes`: as it is stored. */
  snapshotTooLarge(tenant: TenantId, about: { runId: RunId; bytes: number; alarmBytes: number }): void;
  /** A request was sent to the model. `endpoint`: the name of its profile, one of a few. */
  requestSent(tenant: TenantId, request: { endpoint: string; bytes: number; tokens: number }): void;
  /** From now on the requests of a conversation hold less: once for each kind of loss. */
  contextCut(tenant: TenantId, cut: { endpoint: string; kind: CutKind }): void;
  /** A request was refused, and another one is sent in its place. */
  requestReplaced(
    tenant: TenantId,
    refusal: { endpoint: string; why: 'too_large' | 'images_unfetched' },
  ): void;
  /** A run is ended because its next request would not fit. `code`: what the endpoint said, or the planning. */
  contextUnfit(tenant: TenantId, end: { endpoint: string; code: string }): void;
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
  requestSent: () => {},
  contextCut: () => {},
  requestReplaced: () => {},
  contextUnfit: () => {},
  turnEnded: () => {},
  runEnded: () => {},
  definitionCompared: () => {},
  problem: () => {},
};
