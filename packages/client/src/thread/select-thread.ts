import type {
  ArtifactView,
  EndReason,
  InterruptView,
  MessageView,
  RunError,
  RunStatus,
} from '@plinth/protocol';
import type { ThreadState } from './thread-state.js';

/** The view of the message whose run has not ended; null when no run is active. */
export function selectActiveView(state: ThreadState): MessageView | null {
  const active = state.messages.findLast((message) => message.id === state.activeMessageId);
  return active?.role === 'assistant' ? active.view : null;
}

/** The thread's newest run. `active` is false when it has ended. */
export type RunState = {
  readonly runId: string;
  readonly messageId: string;
  readonly status: RunStatus;
  readonly active: boolean;
  readonly reason: EndReason | null;
  readonly error: RunError | null;
};

/** The active run, or else the one that ended last; null in a thread without runs. */
export function selectRun(state: ThreadState): RunState | null {
  const newest = state.messages.findLast((message) => message.role === 'assistant');
  const view = selectActiveView(state) ?? (newest?.role === 'assistant' ? newest.view : null);
  if (!view) return null;
  const { runId, messageId, status, reason, error } = view;
  return { runId, messageId, status, active: messageId === state.activeMessageId, reason, error };
}

/** What the active run waits for, in the order in which it was asked. */
export function selectOpenInterrupts(state: ThreadState): InterruptView[] {
  return selectActiveView(state)?.interrupts.filter((interrupt) => interrupt.state === 'open') ?? [];
}

/** The artifacts of all messages that are here, newest first, each in its newest version. */
export function selectArtifacts(state: ThreadState): ArtifactView[] {
  const newest = new Map<string, ArtifactView>();
  for (const message of state.messages) {
    for (const artifact of message.role === 'assistant' ? message.view.artifacts : []) {
      const other = newest.get(artifact.id);
      if (!other || other.version < artifact.version) newest.set(artifact.id, artifact);
    }
  }
  for (const [id, artifact] of newest) {
    const changed = state.changedArtifacts[id]?.artifact;
    if (changed && changed.version > artifact.version) newest.set(id, changed);
  }
  return [...newest.values()].reverse().sort((a, b) => b.createdAt.localeCompare(a.createdAt));
}

export type InterruptStatus = 'open' | 'sending' | 'queued' | 'answered' | 'closed';

/**
 * What a form shows: the interrupt's own state, and `sending` while this page's answer is under way, `queued` when it did not
 * get through and is sent again by itself.
 */
export function selectInterruptStatus(state: ThreadState, interrupt: InterruptView): InterruptStatus {
  const pending = interrupt.state === 'open' ? state.pendingAnswers[interrupt.id] : undefined;
  return pending ?? interrupt.state;
}

/** The frontend tools that this page may carry out when its person allows it: `session.allowTool`, `session.denyTool`. */
export function selectToolQuestions(state: ThreadState): Extract<InterruptView, { kind: 'frontend' }>[] {
  return selectOpenInterrupts(state).filter(
    (interrupt): interrupt is Extract<InterruptView, { kind: 'frontend' }> =>
      interrupt.kind === 'frontend' && interrupt.id in state.toolQuestions,
  );
}
