import type { CutKind, DefinitionVerdict, EngineObserver } from '@plinth/engine';
import type { EndReason, RunId, TenantId } from '@plinth/protocol';

/** Keeps what the engine tells, for a test to look at. */
export class RecordingObserver implements EngineObserver {
  readonly resumes: ('snapshot' | 'rebuild')[] = [];
  readonly reads: string[] = [];
  readonly writes: { rawBytes: number; storedBytes: number }[] = [];
  readonly alarms: { runId: RunId; bytes: number; alarmBytes: number }[] = [];
  readonly sent: { endpoint: string; bytes: number; tokens: number }[] = [];
  /** What the context has lost, what was refused and what did not fit, in order. */
  readonly context: string[] = [];
  readonly endings: EndReason[] = [];
  readonly verdicts: DefinitionVerdict[] = [];
  readonly problems: { doing: string; error: unknown }[] = [];

  resumed(_tenant: TenantId, source: 'snapshot' | 'rebuild'): void {
    this.resumes.push(source);
  }

  snapshotRead(_tenant: TenantId, outcome: 'hit' | 'absent' | 'corrupt'): void {
    this.reads.push(outcome);
  }

  snapshotWritten(
    _tenant: TenantId,
    { rawBytes, storedBytes }: { rawBytes: number; storedBytes: number },
  ): void {
    this.writes.push({ rawBytes, storedBytes });
  }

  snapshotTooLarge(_tenant: TenantId, about: { runId: RunId; bytes: number; alarmBytes: number }): void {
    this.alarms.push(about);
  }

  requestSent(_tenant: TenantId, request: { endpoint: string; bytes: number; tokens: number }): void {
    this.sent.push(request);
  }

  contextCut(_tenant: TenantId, { endpoint, kind }: { endpoint: string; kind: CutKind }): void {
    this.context.push(`${endpoint}: ${kind}`);
  }

  requestReplaced(_tenant: TenantId, { endpoint, why }: { endpoint: string; why: string }): void {
    this.context.push(`${endpoint}: replaced, ${why}`);
  }

  contextUnfit(_tenant: TenantId, { endpoint, code }: { endpoint: string; code: string }): void {
    this.context.push(`${endpoint}: unfit, ${code}`);
  }

  turnEnded(): void {}

  runEnded(_tenant: TenantId, reason: EndReason): void {
    this.endings.push(reason);
  }

  definitionCompared(_tenant: TenantId, verdict: DefinitionVerdict): void {
    this.verdicts.push(verdict);
  }

  problem(_tenant: TenantId, { doing }: { doing: string }, error: unknown): void {
    this.problems.push({ doing, error });
  }
}
