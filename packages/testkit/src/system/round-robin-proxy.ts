import { createServer, request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http';

/** A load balancer without sticky sessions: each request goes to the next server. */
export async function startRoundRobin(
  port: number,
  targets: readonly string[],
): Promise<{ url: string; close(): Promise<void> }> {
  let turn = 0;
  const server = createServer((incoming, outgoing) => {
    const target = targets[turn++ % targets.length];
    if (target === undefined) throw new Error('there is no server behind the proxy');
    pass(new URL(incoming.url ?? '/', target), incoming, outgoing);
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${port}`,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function pass(url: URL, incoming: IncomingMessage, outgoing: ServerResponse): void {
  const passed = httpRequest(url, { method: incoming.method, headers: incoming.headers }, (answer) => {
    outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
    answer.pipe(outgoing);
    answer.on('error', () => outgoing.destroy());
  });
  passed.on('error', () => (outgoing.headersSent ? outgoing.destroy() : outgoing.writeHead(502).end()));
  outgoing.on('close', () => passed.destroy());
  incoming.pipe(passed);
}
