import type { FetchLike } from '@modelcontextprotocol/sdk/shared/transport.js';
import { MAX_MESSAGE_BYTES, MessageTooLarge } from './mcp-failure.js';

/** Called when the stream that was to bring the answer to a request is over. */
export type OnStreamEnd = (requestId: string | number, why: 'ended' | 'too_large') => void;

/**
 * A fetch for the HTTP transport that keeps two promises the transport does not: a body has a largest size, and the end
 * of a stream that brought no answer is told. Without it a call whose server dies waits until its time is over.
 *
 * A stream whose events have ids can be resumed, and the transport does that: its end is not told.
 */
export function boundedFetch(fetch: FetchLike, onStreamEnd: OnStreamEnd): FetchLike {
  return async (url, init) => {
    const response = await fetch(url, init);
    if (response.body === null) return response;
    const requestId = init?.method === 'POST' ? requestIdOf(init.body) : null;
    const isStream = response.headers.get('content-type')?.startsWith('text/event-stream') ?? false;
    const onEnd =
      isStream && requestId !== null ? (why: 'ended' | 'too_large') => onStreamEnd(requestId, why) : null;
    return new Response(watchedBody(response.body, onEnd), {
      status: response.status,
      statusText: response.statusText,
      headers: response.headers,
    });
  };
}

function requestIdOf(body: unknown): string | number | null {
  if (typeof body !== 'string') return null;
  const { id = null, method } = JSON.parse(body) as { id?: string | number; method?: string };
  return method === undefined ? null : id;
}

const decoder = new TextDecoder('latin1');

function watchedBody(
  body: ReadableStream<Uint8Array>,
  onEnd: ((why: 'ended' | 'too_large') => void) | null,
): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  let sizeBytes = 0;
  let isResumable = false;
  const tell = (why: 'ended' | 'too_large') => {
    // After the events that have arrived were handed on.
    if (!isResumable || why === 'too_large') setImmediate(() => setImmediate(() => onEnd?.(why)));
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
        if (onEnd !== null && !isResumable) isResumable = /(^|\n)id:/.test(decoder.decode(value));
        controller.enqueue(value);
      } catch (error) {
        tell('ended');
        controller.error(error);
      }
    },
    cancel: (reason) => reader.cancel(reason),
  });
}
