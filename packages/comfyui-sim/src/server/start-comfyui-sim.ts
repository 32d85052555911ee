import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { JsonRecord } from '../prompts/prompt.js';
import type { HistoryEntry } from '../prompts/prompt-queue.js';
import type { Faults } from './faults.js';
import { Host } from './host.js';
import { answer } from './routes.js';

export interface ComfyUiSimOptions {
  /** 0, the default, takes a free port. */
  port?: number;
  host?: string;
  /** Milliseconds of one step of a sampler. Default 0. */
  stepMs?: number;
}

/** One request as it arrived, without its body when that is no JSON. */
export interface ReceivedRequest {
  method: string;
  path: string;
  body: JsonRecord | null;
}

export interface ComfyUiSim {
  readonly url: string;
  /** Set its fields to make things go wrong. */
  readonly faults: Faults;
  /** All that was asked, oldest first. */
  readonly requests: ReceivedRequest[];
  /** The workflows that were queued, in their order: what must not happen twice. */
  queued(): ReceivedRequest[];
  history(promptId: string): HistoryEntry | undefined;
  /** Prompts that wait or run now. */
  remaining(): number;
  /** The sampler stands still at its next step, until it is released. */
  hold(): void;
  release(): void;
  hasClient(clientId: string): boolean;
  /** Cuts all WebSockets. */
  dropSockets(): void;
  forgetHistory(): void;
  /** As if the process were killed: connections break, queue and history are gone, nobody listens. Files stay. */
  die(): Promise<void>;
  /** Listens again on the same port. */
  revive(): Promise<void>;
  close(): Promise<void>;
}

/** Starts a stand-in for one ComfyUI host; resolves when it listens, rejects when the port cannot be had. */
export async function startComfyUiSim(options: ComfyUiSimOptions = {}): Promise<ComfyUiSim> {
  const address = options.host ?? '127.0.0.1';
  const host = new Host(options.stepMs ?? 0);
  const requests: ReceivedRequest[] = [];
  const queued: ReceivedRequest[] = [];
  let server = makeServer(host, requests, queued);
  const port = await listen(server, options.port ?? 0, address);
  return {
    url: `http://${address}:${port}`,
    faults: host.faults,
    requests,
    queued: () => queued,
    history: (promptId) => host.queue.history.get(promptId),
    remaining: () => host.queue.remaining,
    hold: () => host.gate.hold(),
    release: () => host.gate.release(),
    hasClient: (clientId) => host.hub.has(clientId),
    dropSockets: () => host.hub.drop(),
    forgetHistory: () => host.queue.history.clear(),
    async die() {
      host.die();
      await closeServer(server);
    },
    async revive() {
      server = makeServer(host, requests, queued);
      await listen(server, port, address);
    },
    async close() {
      host.die();
      await closeServer(server);
    },
  };
}

function makeServer(host: Host, requests: ReceivedRequest[], queued: ReceivedRequest[]): Server {
  const server = createServer((request, response) => {
    serve(host, request, response, requests, queued).catch((error: unknown) => {
      if (response.headersSent || response.destroyed) return void response.destroy();
      response.writeHead(500, { 'content-type': 'text/plain' }).end(String(error));
    });
  });
  server.on('upgrade', (request, socket, head) => {
    const path = (request.url ?? '/').split('?')[0] ?? '/';
    if (host.faults.refuseSockets || !/^(\/api)?\/ws$/.test(path)) return socket.destroy();
    host.hub.accept(request, socket, head, (clientId) => host.greet(clientId));
  });
  return server;
}

async function serve(
  host: Host,
  request: IncomingMessage,
  response: ServerResponse,
  requests: ReceivedRequest[],
  queued: ReceivedRequest[],
): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const body = Buffer.concat(chunks);
  const { method = 'GET' } = request;
  const { pathname: path, searchParams: query } = new URL(request.url ?? '/', 'http://host');
  if (path === '/healthz') return send(response, { status: 200, body: { status: 'ok' } });
  const contentType = request.headers['content-type'] ?? '';
  const received: ReceivedRequest = { method, path, body: parsed(contentType, body) };
  requests.push(received);

  const isPrompt = method === 'POST' && path.endsWith('/prompt');
  if (isPrompt && host.faults.refusePrompts) return send(response, host.faults.refusePrompts);
  const reply = await answer(host, { method, path, query, contentType, body });
  if (isPrompt && reply?.status === 200) {
    queued.push(received);
    if (host.faults.promptAnswers === 'cut') return void response.destroy();
    if (host.faults.promptAnswers === 'held') return;
  }
  send(response, reply ?? { status: 404 });
}

function parsed(contentType: string, body: Buffer): JsonRecord | null {
  if (!contentType.includes('json') || body.length === 0) return null;
  return JSON.parse(body.toString('utf8')) as JsonRecord;
}

function send(
  response: ServerResponse,
  {
    status,
    body,
    bytes,
    fileName,
  }: { status: number; body?: unknown; bytes?: Uint8Array; fileName?: string },
): void {
  if (bytes !== undefined) {
    const headers = {
      'content-type': 'application/octet-stream',
      'content-disposition': `filename="${fileName}"`,
    };
    response.writeHead(status, headers).end(bytes);
  } else if (body === undefined) {
    response.writeHead(status).end();
  } else {
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  }
}

function listen(server: Server, port: number, host: string): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => resolve((server.address() as AddressInfo).port));
  });
}

function closeServer(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
