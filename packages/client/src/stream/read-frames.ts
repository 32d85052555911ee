import { createParser } from 'eventsource-parser';
import { PlinthClientError } from '../errors/plinth-client-error.js';

/** One event of a stream: its place in the log (`''` when it names none) and its body. */
export type Frame = { id: string; data: unknown };

export type FrameReader = {
  signal: AbortSignal;
  /** Any bytes at all, heartbeats too. */
  onBytes(): void;
  /** The server's wish for the time before a new connection. */
  onRetryMs(delayMs: number): void;
  /** All events that one chunk completed, so that a long replay is one change and not thousands. False stops. */
  onFrames(frames: Frame[]): boolean;
};

/** Reads server-sent events until the body ends, the reader has enough, or the signal aborts. */
export async function readFrames(body: ReadableStream<Uint8Array>, reader: FrameReader): Promise<void> {
  let frames: Frame[] = [];
  const parser = createParser({
    onEvent: ({ id, data }) => frames.push({ id: id ?? '', data: parseData(data) }),
    onRetry: reader.onRetryMs,
  });
  const decoder = new TextDecoder();
  const source = body.getReader();
  // A host's `request` may not pass the signal on; then nothing but this ends the connection.
  const close = () => void source.cancel().catch(() => undefined);
  reader.signal.addEventListener('abort', close);
  try {
    while (!reader.signal.aborted) {
      const { done, value } = await readChunk(source);
      if (done) return;
      reader.onBytes();
      parser.feed(decoder.decode(value, { stream: true }));
      if (frames.length === 0 || reader.signal.aborted) continue;
      const batch = frames;
      frames = [];
      if (!reader.onFrames(batch)) return;
    }
  } finally {
    reader.signal.removeEventListener('abort', close);
    close();
  }
}

async function readChunk(source: ReadableStreamDefaultReader<Uint8Array>) {
  try {
    return await source.read();
  } catch (cause) {
    throw new PlinthClientError({ code: 'network', message: 'The event stream broke off.', cause });
  }
}

function parseData(data: string): unknown {
  try {
    return JSON.parse(data);
  } catch (cause) {
    const message = 'An event of the stream is not JSON. A proxy on the way may have changed it.';
    throw new PlinthClientError({ code: 'invalid_response', message, status: 200, cause });
  }
}
