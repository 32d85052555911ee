import { type Event, EventType, type TokenUsage } from '@ag-ui/core';
import type { MessageView, Usage } from '@plinth/protocol';
import { isAsking, toAguiInterrupt } from './agui-interrupts.js';

/** The AG-UI run that is ended, by the client's names, and what it has used until it began. */
export interface AguiRun {
  threadId: string;
  runId: string;
  /** Names of the tools that the client can run. */
  clientTools: ReadonlySet<string>;
  usedBefore: Usage;
}

const NO_ANSWER = 'The run ended without an answer.';

/** An AG-UI run that goes on with one of ours reports its own part only. */
function usageOf(now: Usage, before: Usage): { usage?: TokenUsage[] } {
  const inputTokens = now.inputTokens - before.inputTokens;
  const outputTokens = now.outputTokens - before.outputTokens;
  if (inputTokens + outputTokens === 0) return {};
  const cachedInputTokens = now.cachedInputTokens - before.cachedInputTokens;
  return {
    usage: [{ inputTokens, outputTokens, cachedInputTokens, totalTokens: inputTokens + outputTokens }],
  };
}

/** Calls of tools that the client can run and that wait for it, in the order in which they were made. */
function pendingCalls({ calls, interrupts }: MessageView, clientTools: ReadonlySet<string>): string[] {
  const waiting = new Set(
    interrupts
      .filter(({ kind, state, tool }) => kind === 'frontend' && state === 'open' && clientTools.has(tool))
      .map(({ callId }) => callId),
  );
  return calls.map(({ callId }) => callId).filter((callId) => waiting.has(callId));
}

/**
 * How the AG-UI run ends as our run stands; null while it goes on. A run that waits only for what the client cannot bring (a
 * job's callback, another page's tool) goes on: its stream stays open.
 */
export function outcomeOf(
  view: MessageView,
  { threadId, runId, clientTools, usedBefore }: AguiRun,
): Event | null {
  const finished = {
    type: EventType.RUN_FINISHED,
    threadId,
    runId,
    ...usageOf(view.usage, usedBefore),
  } as const;
  switch (view.status) {
    case 'queued':
    case 'running':
      return null;
    case 'completed':
      return { ...finished, outcome: { type: 'success' }, metadata: { plinth: { reason: view.reason } } };
    case 'cancelled':
      return { ...finished, outcome: { type: 'cancelled' }, metadata: { plinth: { reason: view.reason } } };
    case 'failed':
      return {
        type: EventType.RUN_ERROR,
        message: view.error?.message ?? NO_ANSWER,
        code: view.error?.code ?? view.reason ?? 'internal_error',
        ...usageOf(view.usage, usedBefore),
      };
    case 'interrupted': {
      const asking = view.interrupts.filter(isAsking).filter(({ state }) => state === 'open');
      const pendingToolCallIds = pendingCalls(view, clientTools);
      if (asking.length > 0)
        return {
          ...finished,
          outcome: { type: 'interrupt', interrupts: asking.map(toAguiInterrupt) },
          // An interrupt outcome has no place for them.
          ...(pendingToolCallIds.length === 0 ? {} : { metadata: { plinth: { pendingToolCallIds } } }),
        };
      if (pendingToolCallIds.length === 0) return null;
      return { ...finished, outcome: { type: 'success', pendingToolCallIds } };
    }
  }
}
