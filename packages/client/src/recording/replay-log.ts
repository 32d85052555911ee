/** Event streams of one log, which tell when their readers have taken in all that there is. */
export type ReplayLog = {
  append(id: string, body: object): void;
  read(lastEventId: string | null, signal: AbortSignal | null | undefined): Response;
  /** Resolves when each open reader asks for more than there is. */
  drained(): Promise<void>;
  /** Breaks all connections. */
  cut(): void;
};

type Reader = { next: number; wants: (() => void) | null; onDrained: Set<() => void>; fail(): void };

export function createReplayLog(): ReplayLog {
  const entries: { id: string; frame: Uint8Array }[] = [];
  const readers = new Set<Reader>();

  function read(lastEventId: string | null, signal: AbortSignal | null | undefined): Response {
    const next = entries.findIndex(({ id }) => id === lastEventId) + 1;
    const reader: Reader = { next, wants: null, onDrained: new Set(), fail: () => undefined };
    const leave = () => {
      readers.delete(reader);
      settle(reader);
    };
    readers.add(reader);
    const source: UnderlyingDefaultSource<Uint8Array> = {
      start(controller) {
        reader.fail = () => {
          leave();
          controller.error(new TypeError('The connection was cut.'));
        };
        signal?.addEventListener('abort', () => readers.has(reader) && reader.fail());
      },
      // Called when the reader has done everything with what it got.
      pull: (controller) =>
        new Promise((resolve) => {
          reader.wants = () => {
            const entry = entries[reader.next];
            if (!entry) return settle(reader);
            reader.next += 1;
            reader.wants = null;
            controller.enqueue(entry.frame);
            resolve();
          };
          reader.wants();
        }),
      cancel: leave,
    };
    const body = new ReadableStream<Uint8Array>(source, { highWaterMark: 0 });
    return new Response(body, { headers: { 'content-type': 'text/event-stream' } });
  }

  function settle(reader: Reader): void {
    for (const onDrained of [...reader.onDrained]) onDrained();
    reader.onDrained.clear();
  }

  return {
    read,
    append(id, body) {
      entries.push({ id, frame: new TextEncoder().encode(`id: ${id}\ndata: ${JSON.stringify(body)}\n\n`) });
      for (const reader of [...readers]) reader.wants?.();
    },
    async drained() {
      const busy = [...readers].filter(({ wants, next }) => wants === null || next < entries.length);
      await Promise.all(busy.map((reader) => new Promise<void>((resolve) => reader.onDrained.add(resolve))));
    },
    cut() {
      for (const reader of [...readers]) reader.fail();
    },
  };
}
