import type { JobCancellation, ToolExecutor, ToolInvocation, ToolOutcome } from '@plinth/engine';
import type { ExecutorKind, TenantId, ToolExecutorSpec } from '@plinth/protocol';

export type ToolScript = (
  invocation: ToolInvocation,
  signal: AbortSignal,
) => ToolOutcome | Promise<ToolOutcome>;

const SUCCEEDS: ToolScript = ({ tool, callback }) =>
  callback === null ? { kind: 'succeeded', value: { did: tool.key }, files: [] } : { kind: 'accepted' };

/** Tools whose side effect is a line in a list: what happened, in the order in which it happened. */
export class ScriptedTools implements ToolExecutor {
  readonly effects: ToolInvocation[] = [];

  /** What jobs were told, in the order in which they were. */
  readonly cancellations: JobCancellation[] = [];
  /** Executor kinds that this server has lost. */
  readonly lost = new Set<ExecutorKind>();

  constructor(public scripts: Record<string, ToolScript> = {}) {}

  async execute(_tenant: TenantId, invocation: ToolInvocation, signal: AbortSignal): Promise<ToolOutcome> {
    this.effects.push(invocation);
    return (this.scripts[invocation.tool.key] ?? SUCCEEDS)(invocation, signal);
  }

  async cancel(_tenant: TenantId, cancellation: JobCancellation): Promise<void> {
    this.cancellations.push(cancellation);
  }

  supports({ kind }: ToolExecutorSpec): boolean {
    return !this.lost.has(kind);
  }

  /** The side effects of one tool. */
  of(key: string): ToolInvocation[] {
    return this.effects.filter(({ tool }) => tool.key === key);
  }
}

/** Stays busy until it is aborted, as a tool does that honours its signal. */
export function untilAborted(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    if (signal.aborted) return reject(signal.reason);
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
}
