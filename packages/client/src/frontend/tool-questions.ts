import { PlinthClientError } from '../errors/plinth-client-error.js';
import type { ThreadStore } from '../thread/thread-tools.js';

export type ToolDecision = { allowed: true } | { allowed: false; reason?: string | undefined };

/** Asks the person of this page whether a tool may be carried out; the questions are in the state meanwhile. */
export type ToolQuestions = {
  /** Null when the signal aborts first. */
  ask(interruptId: string, signal: AbortSignal): Promise<ToolDecision | null>;
  decide(interruptId: string, decision: ToolDecision): void;
};

export function createToolQuestions(store: ThreadStore): ToolQuestions {
  const open = new Map<string, (decision: ToolDecision) => void>();

  return {
    ask(interruptId, signal) {
      return new Promise((resolve) => {
        const settle = (decision: ToolDecision | null) => {
          signal.removeEventListener('abort', giveUp);
          open.delete(interruptId);
          store.dispatch({ type: 'tool.settled', interruptId });
          resolve(decision);
        };
        const giveUp = () => settle(null);
        if (signal.aborted) return resolve(null);
        signal.addEventListener('abort', giveUp);
        open.set(interruptId, settle);
        store.dispatch({ type: 'tool.asked', interruptId });
      });
    },
    decide(interruptId, decision) {
      const settle = open.get(interruptId);
      const message = `This page does not ask about ${interruptId}. See selectToolQuestions.`;
      if (!settle) throw new PlinthClientError({ code: 'unknown_question', message });
      settle(decision);
    },
  };
}
