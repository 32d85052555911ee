import type { FetchLike } from '@modelcontextprotocol/sdk/shared/transport.js';
import { MAX_MESSAGE_BYTES, MessageTooLarge } from './mcp-failure.js';

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
 * A stream whose events have ids can be resumed, and the transport does that: its end is not told.
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
      const body = watchedBody(response.body, isStream && isRequest, (why) => {
        forget();
        if (isStream && isRequest) onStreamEnd(id, why);
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

const decoder = new TextDecoder('latin1');

/** @param tellsEnd false for a body whose end nobody waits for */
function watchedBody(
  body: ReadableStream<Uint8Array>,
  tellsEnd: boolean,
  onEnd: (why: EndOfStream) => void,
): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  let sizeBytes = 0;
  let isResumable = false;
  const tell = (why: EndOfStream) => {
    // After the events that have arrived were handed on.
    if (!isResumable || why === 'too_large') setImmediate(() => setImmediate(() => onEnd(why)));
  };
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const { done, value } = await reader.read();
        if (done) {
          tell('ended');
          return controller.close();
        }
        sizeBytes += value.length;
        if (sizeBytes > MAX_MESSAGE_BYTES) {
          tell('too_large');
          controller.error(new MessageTooLarge());
          return await reader.cancel();
        }
        if (tellsEnd && !isResumable) isResumable = /(^|\n)id:/.test(decoder.decode(value));
        controller.enqueue(value);
      } catch (error) {
        tell('ended');
        controller.error(error);
      }
    },
    cancel: (reason) => reader.cancel(reason),
  });
}
