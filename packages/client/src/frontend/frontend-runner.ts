import type { InterruptView } from '@plinth/protocol';
import type { AnswerInterrupt } from '../thread/interrupt-answerer.js';
import { selectOpenInterrupts } from '../thread/select-thread.js';
import type { ThreadTools } from '../thread/thread-tools.js';
import { type LinkedAbort, linkAbort } from '../time/linked-abort.js';
import type { FrontendTool, FrontendTools } from './frontend-tool.js';
import { type FrontendInterrupt, runFrontendTool } from './run-frontend-tool.js';

/** The page's handlers, and the name under which it leases: one of each for all of its threads. */
export type FrontendPage = { tools: FrontendTools; clientId: string };

/** Runs the frontend tools of a thread in this page, as their interrupts open. Each is begun once. */
export function runFrontendTools(
  tools: ThreadTools,
  { tools: handlers, clientId }: FrontendPage,
  answer: AnswerInterrupt,
): void {
  const { store } = tools;
  const begun = new Map<string, LinkedAbort>();

  function begin(interrupt: FrontendInterrupt, handler: FrontendTool): void {
    const link = linkAbort();
    begun.set(interrupt.id, link);
    void runFrontendTool(tools, { interrupt, handler, clientId, answer, signal: link.signal });
  }

  function reconcile(): void {
    const open = selectOpenInterrupts(store.getState()).filter(isFrontend);
    const ids = new Set(open.map(({ id }) => id));
    for (const [id, link] of begun) if (!ids.has(id)) link.abort();
    for (const interrupt of open) {
      const handler = Object.hasOwn(handlers, interrupt.handler) ? handlers[interrupt.handler] : undefined;
      if (handler !== undefined && !begun.has(interrupt.id)) begin(interrupt, handler);
    }
  }

  store.subscribe(reconcile);
}

const isFrontend = (interrupt: InterruptView): interrupt is FrontendInterrupt =>
  interrupt.kind === 'frontend';
