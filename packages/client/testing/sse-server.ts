import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { StreamEntry } from '@plinth/protocol';

/** A stream that is open at the moment. */
export type OpenStream = { lastEventId: string | null; write(text: string): void; cut(): void; end(): void };

/**
 * A real HTTP server for tests: every GET is answered by `onStream` (or refused by `onRequest`), and what
 * came in is kept.
 */
export type SseServer = {
  url: string;
  requests: { path: string; lastEventId: string | null; authorization: string | null }[];
  /** Streams whose connection is open. */
  open: Set<OpenStream>;
  close(): Promise<void>;
};

export type SseHandlers = {
  onStream(stream: OpenStream, path: string): void;
  /** Returns true when it has answered by itself. */
  onRequest?(request: IncomingMessage, response: ServerResponse): boolean;
};

const header = (request: IncomingMessage, name: string) =>
  (request.headers[name] as string | undefined) ?? null;

export async function startSseServer({ onStream, onRequest }: SseHandlers): Promise<SseServer> {
  const requests: SseServer['requests'] = [];
  const open = new Set<OpenStream>();
  const server = createServer((request, response) => {
    const path = request.url ?? '';
    const lastEventId = header(request, 'last-event-id');
    requests.push({ path, lastEventId, authorization: header(request, 'authorization') });
    if (onRequest?.(request, response)) return;
    response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' }).flushHeaders();
    const stream: OpenStream = {
      lastEventId,
      write: (text) => void response.write(text),
      cut: () => response.destroy(),
      end: () => response.end(),
    };
    open.add(stream);
    response.on('close', () => open.delete(stream));
    onStream(stream, path);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    open,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** The frame of an entry, as the server of the platform writes it. */
export function toFrame({ seq, ...body }: StreamEntry): string {
  return `id: ${seq}\nevent: ${body.type}\ndata: ${JSON.stringify(body)}\n\n`;
}

/** The entries behind a cursor, as a server replays them. */
export function entriesAfter(log: readonly StreamEntry[], lastEventId: string | null): StreamEntry[] {
  return log.slice(log.findIndex((entry) => entry.seq === lastEventId) + 1);
}
