/** One server-sent event as it came, without the empty line behind it. Comments (heartbeats) are blocks too. */
export type Block = { id: string | null; text: string };

const BETWEEN = /\r?\n\r?\n/;
const ID = /^id: ?(.*)$/m;

/**
 * The whole events of a stream, all that one chunk completed at once, until it ends or the signal aborts. Half an event at the
 * end is dropped: it comes again. Rejects when the stream breaks.
 */
export async function* readBlocks(
  body: ReadableStream<Uint8Array>,
  signal: AbortSignal,
): AsyncGenerator<Block[], void> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  const close = () => void reader.cancel().catch(() => undefined);
  signal.addEventListener('abort', close);
  let pending = '';
  try {
    while (!signal.aborted) {
      const { done, value } = await reader.read();
      if (done) return;
      const texts = (pending + decoder.decode(value, { stream: true })).split(BETWEEN);
      pending = texts.pop() ?? '';
      if (texts.length > 0) yield texts.map((text) => ({ id: ID.exec(text)?.[1] ?? null, text }));
    }
  } finally {
    signal.removeEventListener('abort', close);
    close();
  }
}

/** The bytes of a stream with these events. */
export function toBytes(blocks: readonly Block[]): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(blocks.map(({ text }) => `${text}\n\n`).join(''));
}
