import { PlinthClientError } from '../errors/plinth-client-error.js';
import { isEnded } from '../message/reduce-message.js';
import type { ConnectionBoard } from './connection-board.js';
import { followMessage } from './follow-message.js';
import type { ThreadTools } from './thread-tools.js';

/**
 * Keeps one stream open for each message whose run has not ended: usually one, and for a moment two while
 * a run is superseded. Ends with the signal.
 */
export function followUnfinished(tools: ThreadTools, board: ConnectionBoard, signal: AbortSignal): void {
  const { store } = tools;
  const started = new Set<string>();

  async function follow(messageId: string): Promise<void> {
    try {
      await followMessage(tools, {
        messageId,
        signal,
        onStatus: (status) => board.report(messageId, status),
      });
    } catch (error) {
      if (!PlinthClientError.isInstance(error)) throw error;
      store.dispatch({ type: 'stream.refused', error });
    }
    if (!signal.aborted) board.leave(messageId);
  }

  function reconcile(): void {
    for (const message of store.getState().messages) {
      if (message.role !== 'assistant' || isEnded(message.view.status) || started.has(message.id)) continue;
      // Never started twice: a stream that was refused would be refused again.
      started.add(message.id);
      void follow(message.id);
    }
  }

  signal.addEventListener('abort', store.subscribe(reconcile), { once: true });
  reconcile();
}
