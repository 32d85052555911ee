import type { FetchLike } from '@modelcontextprotocol/sdk/shared/transport.js';
import { MAX_MESSAGE_BYTES, MessageTooLarge } from './mcp-failure.js';
import { Counted, WholeLines } from './whole-lines.js';

/** Called when the stream that was to bring the answer to a request is over. */
export type OnStreamEnd = (requestId: string | number, why: EndOfStream) => void;
type EndOfStream = 'ended' | 'too_large';

interface Message {
  id?: string | number;
  method?: string;
  params?: { requestId?: string | number };
}

/**
 * A fetch for the HTTP transport that keeps three promises the transport does not: a body has a largest size, the end of a
 * stream that brought no answer is told (else a call whose server dies waits until its time is over), and a request that is
 * cancelled is not listened to any more.
 *
 * A stream whose events have ids can be resumed, and the transport does that: its end is not told. What reads events looks
 * through a line again with each piece of it, so a stream is given on in whole lines.
 */
export function boundedFetch(fetch: FetchLike, onStreamEnd: OnStreamEnd): FetchLike {
  const underWay = new Map<string | number, AbortController>();
  return async (url, init) => {
    const { id = null, method, params } = messageOf(init);
    const isRequest = id !== null && method !== undefined;
    const cut = new AbortController();
    if (isRequest) underWay.set(id, cut);
    const forget = () => {
      if (isRequest && underWay.get(id) === cut) underWay.delete(id);
    };
    const signal = init?.signal ? AbortSignal.any([init.signal, cut.signal]) : cut.signal;
    try {
      const response = await fetch(url, { ...init, signal });
      const { requestId } = params ?? {};
      if (method === 'notifications/cancelled' && requestId !== undefined) underWay.get(requestId)?.abort();
      if (response.body === null) {
        forget();
        return response;
      }
      const isStream = response.headers.get('content-type')?.startsWith('text/event-stream') ?? false;
      const body = watchedBody(response.body, isStream, (why, isResumable) => {
        forget();
        if (isStream && isRequest && (why === 'too_large' || !isResumable)) onStreamEnd(id, why);
      });
      const { status, statusText, headers } = response;
      return new Response(body, { status, statusText, headers: new Headers([...headers]) });
    } catch (error) {
      forget();
      throw error;
    }
  };
}

function messageOf(init: RequestInit | undefined): Message {
  if (init?.method !== 'POST' || typeof init.body !== 'string' || !init.body.startsWith('{')) return {};
  return JSON.parse(init.body) as Message;
}

/** Gives a body on, piece by piece. @param onEnd told once how it ended */
function watchedBody(
  body: ReadableStream<Uint8Array>,
  isStream: boolean,
  onEnd: (why: EndOfStream, isResumable: boolean) => void,
): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  const pieces = isStream ? new WholeLines(MAX_MESSAGE_BYTES) : new Counted(MAX_MESSAGE_BYTES);
  const tell = (why: EndOfStream) => {
    // After the events that have arrived were handed on.
    setImmediate(() => setImmediate(() => onEnd(why, pieces.isResumable)));
  };
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        for (;;) {
          const { done, value } = await reader.read();
          const ready = done ? pieces.rest() : pieces.push(value);
          if (ready.length > 0) controller.enqueue(ready);
          if (done) {
            tell('ended');
            return controller.close();
          }
          if (ready.length > 0) return;
        }
      } catch (error) {
        tell(error instanceof MessageTooLarge ? 'too_large' : 'ended');
        controller.error(error);
        if (error instanceof MessageTooLarge) await reader.cancel().catch(() => {});
      }
    },
    cancel: (reason) => reader.cancel(reason),
  });
}
