/** The body of a response that is written here. */
export type StreamBody = {
  hasBegun(): boolean;
  begin(): Response;
  add(bytes: Uint8Array<ArrayBuffer>): void;
  end(): void;
  fail(reason: unknown): void;
};

/** @param onCancel the reader has enough */
export function createStreamBody(onCancel: () => void): StreamBody {
  let sink: ReadableStreamDefaultController<Uint8Array> | null = null;
  let hasBegun = false;
  /** A stream that has ended takes nothing more. */
  function last(): ReadableStreamDefaultController<Uint8Array> | null {
    const open = sink;
    sink = null;
    return open;
  }

  return {
    hasBegun: () => hasBegun,
    begin() {
      hasBegun = true;
      const body = new ReadableStream<Uint8Array>({
        start: (controller) => {
          sink = controller;
        },
        cancel: () => {
          last();
          onCancel();
        },
      });
      return new Response(body, { headers: { 'content-type': 'text/event-stream' } });
    },
    add: (bytes) => sink?.enqueue(bytes),
    end: () => last()?.close(),
    fail: (reason) => last()?.error(reason),
  };
}
