import type { InterruptView } from '@plinth/protocol';
import type { Outbox } from '../outbox/outbox.js';
import type { AnswerInterrupt } from '../thread/answer-interrupt.js';
import { selectOpenInterrupts } from '../thread/select-thread.js';
import type { ThreadTools } from '../thread/thread-tools.js';
import { type LinkedAbort, linkAbort } from '../time/linked-abort.js';
import { type FrontendInterrupt, runFrontendTool } from './run-frontend-tool.js';
import type { ToolQuestions } from './tool-questions.js';
import type { AnyToolSpec, ToolRegistry } from './tool-registry.js';

/** What the page can do, and the name under which it leases: one of each for all of its threads. */
export type FrontendPage = { registry: ToolRegistry; clientId: string };

export type RunnerParts = {
  page: FrontendPage;
  outbox: Outbox;
  answer: AnswerInterrupt;
  questions: ToolQuestions;
};

/**
 * Runs the frontend tools of a thread in this page, as their interrupts open. Each is begun once. Returns what looks for them
 * again, for tools that are registered later.
 */
export function runFrontendTools(tools: ThreadTools, parts: RunnerParts): () => void {
  const { store } = tools;
  const begun = new Map<string, LinkedAbort>();

  function begin(interrupt: FrontendInterrupt, spec: AnyToolSpec): void {
    const link = linkAbort();
    begun.set(interrupt.id, link);
    const { page, outbox, answer, questions } = parts;
    const run = { interrupt, spec, clientId: page.clientId, outbox, answer, questions, signal: link.signal };
    void runFrontendTool(tools, run);
  }

  function reconcile(): void {
    const open = selectOpenInterrupts(store.getState()).filter(isFrontend);
    const ids = new Set(open.map(({ id }) => id));
    for (const [id, link] of begun) if (!ids.has(id)) link.abort();
    for (const interrupt of open) {
      const spec = parts.page.registry.find(interrupt.handler);
      if (spec !== undefined && !begun.has(interrupt.id)) begin(interrupt, spec);
    }
  }

  store.subscribe(reconcile);
  return reconcile;
}

const isFrontend = (interrupt: InterruptView): interrupt is FrontendInterrupt =>
  interrupt.kind === 'frontend';
