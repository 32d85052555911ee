import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join } from 'node:path';

const TYPES: Record<string, string> = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css' };

export interface ServedPage {
  readonly url: string;
  close(): Promise<void>;
}

/**
 * Serves a folder on one origin with the API, as behind a business's proxy.
 *
 * @param headers what the host sends with each of its own files
 */
export async function servePage(
  folder: string,
  api: string,
  headers: () => Record<string, string> = () => ({}),
): Promise<ServedPage> {
  const server = createServer(async (request, response) => {
    const { pathname, search } = new URL(request.url ?? '/', 'http://page');
    if (!pathname.startsWith('/v1/')) return sendFile(join(folder, pathname), headers(), response);
    // A page that is closed leaves its streams: nobody waits for the answer any more.
    await pass(request, response, api + pathname + search).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function sendFile(
  path: string,
  headers: Record<string, string>,
  response: ServerResponse,
): Promise<void> {
  const file = path.endsWith('/') ? `${path}index.html` : path;
  if (!(await stat(file).catch(() => null))) {
    response.writeHead(404).end();
    return;
  }
  response.writeHead(200, { ...headers, 'content-type': TYPES[extname(file)] ?? 'application/octet-stream' });
  createReadStream(file).pipe(response);
}

/** Passes a call on to the API. */
async function pass(request: IncomingMessage, response: ServerResponse, url: string): Promise<void> {
  const body: Buffer[] = [];
  for await (const chunk of request) body.push(chunk as Buffer);
  const gone = new AbortController();
  response.on('close', () => gone.abort());
  const headers = { ...(request.headers as Record<string, string>) };
  for (const name of ['host', 'connection', 'content-length', 'transfer-encoding']) delete headers[name];
  const answer = await fetch(url, {
    method: request.method ?? 'GET',
    headers,
    signal: gone.signal,
    ...(body.length > 0 ? { body: Buffer.concat(body) } : {}),
  });
  response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? '' });
  for await (const chunk of answer.body ?? []) response.write(chunk);
  response.end();
}
