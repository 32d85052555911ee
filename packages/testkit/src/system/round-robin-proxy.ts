import { createServer, request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http';

/** Milliseconds, as the servers behind it keep theirs. Node's own are 5 s. */
const KEEP_ALIVE_MS = 72_000;

/** A request that went through, with the status of its answer. */
export interface PassedRequest {
  method: string;
  path: string;
  status: number;
}

/**
 * A load balancer without sticky sessions: each request goes to the next server.
 *
 * @param onPassed gets each request when the head of its answer is there
 */
export async function startRoundRobin(
  port: number,
  targets: readonly string[],
  onPassed: (request: PassedRequest) => void = () => {},
): Promise<{ url: string; close(): Promise<void> }> {
  let turn = 0;
  const server = createServer((incoming, outgoing) => {
    const target = targets[turn++ % targets.length];
    if (target === undefined) throw new Error('there is no server behind the proxy');
    const { method = 'GET', url: path = '/' } = incoming;
    pass(new URL(path, target), incoming, outgoing, (status) => onPassed({ method, path, status }));
  });
  server.keepAliveTimeout = KEEP_ALIVE_MS;
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${port}`,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function pass(
  url: URL,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  onHead: (status: number) => void,
): void {
  const passed = httpRequest(url, { method: incoming.method, headers: incoming.headers }, (answer) => {
    const status = answer.statusCode ?? 502;
    onHead(status);
    outgoing.writeHead(status, answer.headers);
    answer.pipe(outgoing);
    answer.on('error', () => outgoing.destroy());
  });
  passed.on('error', () => (outgoing.headersSent ? outgoing.destroy() : outgoing.writeHead(502).end()));
  outgoing.on('close', () => passed.destroy());
  incoming.pipe(passed);
}
