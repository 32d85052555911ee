/** An event log in memory that is read as server-sent events. */
export type FakeLog = {
  entries: { id: string; body: object }[];
  /** How many streams are open, and how many were ever opened. */
  readers(): number;
  opened(): number;
  append(body: object): void;
  read(lastEventId: string | null, signal: AbortSignal | null | undefined): Response;
  /** Breaks all connections. */
  cut(): void;
  /** Ends all connections, as a server does after the last event. */
  end(): void;
};

const toBytes = ({ id, body }: { id: string; body: object }) =>
  new TextEncoder().encode(`id: ${id}\ndata: ${JSON.stringify(body)}\n\n`);

export function createFakeLog(): FakeLog {
  const entries: FakeLog['entries'] = [];
  const readers = new Set<ReadableStreamDefaultController<Uint8Array>>();
  let openedCount = 0;

  function leaveAll(leave: (reader: ReadableStreamDefaultController<Uint8Array>) => void): void {
    for (const reader of [...readers]) {
      readers.delete(reader);
      leave(reader);
    }
  }

  return {
    entries,
    readers: () => readers.size,
    opened: () => openedCount,
    append(body) {
      const entry = { id: `1-${entries.length + 1}`, body };
      entries.push(entry);
      for (const reader of readers) reader.enqueue(toBytes(entry));
    },
    read(lastEventId, signal) {
      openedCount += 1;
      let own: ReadableStreamDefaultController<Uint8Array>;
      const body = new ReadableStream<Uint8Array>({
        start(controller) {
          own = controller;
          readers.add(controller);
          const from = entries.findIndex((entry) => entry.id === lastEventId) + 1;
          for (const entry of entries.slice(from)) controller.enqueue(toBytes(entry));
          signal?.addEventListener(
            'abort',
            () => readers.delete(controller) && controller.error(new Error('aborted')),
          );
        },
        cancel: () => void readers.delete(own),
      });
      return new Response(body, { headers: { 'content-type': 'text/event-stream' } });
    },
    cut: () => leaveAll((reader) => reader.error(new Error('cut'))),
    end: () => leaveAll((reader) => reader.close()),
  };
}
