import type { AnswerRequest } from '@plinth/protocol';

/** One answer on its way. The request stays the same with every try: the server takes it once. */
export type OutboxEntry = { interruptId: string; threadId: string | null; request: AnswerRequest };

/** An entry from storage; null when the text is none (another version of the page may have written it). */
export function readEntry(text: string): OutboxEntry | null {
  try {
    const { interruptId, threadId, request } = JSON.parse(text) as Partial<OutboxEntry>;
    if (typeof interruptId !== 'string' || typeof request?.requestId !== 'string' || !request.answer)
      return null;
    return { interruptId, threadId: threadId ?? null, request };
  } catch {
    return null;
  }
}
