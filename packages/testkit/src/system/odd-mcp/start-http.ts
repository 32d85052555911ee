import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { JsonObject } from '@plinth/protocol';
import type { OauthServer } from './oauth-server.js';
import { type OddFault, OddMcp } from './odd-mcp.js';

/** A misbehaving MCP server over Streamable HTTP, in the process of the test. */
export interface OddMcpHttp {
  readonly url: string;
  readonly origin: string;
  readonly server: OddMcp;
  /** Headers of the requests, as they came. */
  readonly headers: IncomingMessage['headers'][];
  readonly sessions: Set<string>;
  /** Streams on which clients listen for what they have not asked for. */
  readonly listeners: Set<ServerResponse>;
  /** Streams on which the answer to a request is awaited. */
  readonly answering: Set<ServerResponse>;
  /** When set, every request is answered with it. */
  status: number | null;
  close(): Promise<void>;
}

/** @param oauth gives out the tokens without which nobody is let in */
export async function startOddMcpHttp(
  name: string,
  faults: readonly OddFault[] = [],
  oauth: OauthServer | null = null,
): Promise<OddMcpHttp> {
  const server = new OddMcp(name, new Set(faults));
  const http = createServer((request, response) => {
    take(request, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  const address = http.address();
  if (address === null || typeof address === 'string') throw new Error('the MCP server has no port');
  const odd: OddMcpHttp = {
    url: `http://127.0.0.1:${address.port}/mcp`,
    origin: `http://127.0.0.1:${address.port}`,
    server,
    headers: [],
    sessions: new Set(),
    listeners: new Set(),
    answering: new Set(),
    status: null,
    async close() {
      http.closeAllConnections();
      await new Promise((resolve) => http.close(resolve));
    },
  };

  async function take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (oauth !== null) {
      if (await oauth.take(odd.origin, request, response)) return;
      if (!oauth.accepts(request.headers)) return oauth.challenge(odd.origin, response);
    }
    odd.headers.push(request.headers);
    if (odd.status !== null) return void response.writeHead(odd.status).end();
    const session = request.headers['mcp-session-id'];
    if (typeof session === 'string' && !odd.sessions.has(session)) return void response.writeHead(404).end();
    if (request.method === 'GET') return listen(response);
    if (request.method === 'DELETE') {
      odd.sessions.delete(String(session));
      return void response.writeHead(200).end();
    }
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    answer(JSON.parse(Buffer.concat(chunks).toString()) as JsonObject, response);
  }

  function listen(response: ServerResponse): void {
    response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders();
    odd.listeners.add(response);
    response.on('close', () => odd.listeners.delete(response));
  }

  function answer(message: JsonObject, response: ServerResponse): void {
    const asksForAnswer = message.id !== undefined && message.method !== undefined;
    const headers: Record<string, string> = {};
    if (message.method === 'initialize') {
      const id = randomUUID();
      odd.sessions.add(id);
      headers['mcp-session-id'] = id;
    }
    if (asksForAnswer) {
      odd.answering.add(response);
      response.on('close', () => odd.answering.delete(response));
      response.writeHead(200, { 'content-type': 'text/event-stream', ...headers }).flushHeaders();
    }
    const write = (to: ServerResponse, event: JsonObject) => to.write(`data: ${JSON.stringify(event)}\n\n`);
    server.handle(message, {
      crash: () => response.destroy(),
      send(sent) {
        if (sent.method === 'notifications/tools/list_changed') {
          for (const listener of odd.listeners) write(listener, sent);
          return;
        }
        write(response, sent);
        if (sent.id !== undefined) response.end();
      },
    });
    if (!asksForAnswer) response.writeHead(202).end();
  }

  return odd;
}
