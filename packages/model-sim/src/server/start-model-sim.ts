import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ApiError } from '../api/api-error.js';
import type { PersonaSetting } from '../personas/choose-persona.js';
import type { Walls } from '../personas/persona.js';
import { PrefixCache } from '../replies/prefix-cache.js';
import { posterStudio } from '../scenarios/poster-studio/poster-studio.js';
import type { Scenario } from '../scenarios/scenario.js';
import { type FaultInjection, FaultQueue } from './fault-queue.js';
import { type ChatContext, handleChat } from './handle-chat.js';
import { type RecordedRequest, RequestRecorder } from './request-recorder.js';
import type { Latency } from './send-completion.js';
import { sendJson } from './send-json.js';

const MODELS = ['plinth-sim', 'plinth-sim-mini'];

export type ModelSimOptions = {
  /** 0, the default, takes a free port. */
  port?: number;
  host?: string;
  /** Asked in order; the echo answers when none matches. Default: the poster studio. */
  scenarios?: Scenario[];
  /** Of every request. Default: that of the persona, or 50 MB. */
  bodyLimitBytes?: number;
  /** Whose refusals and token counts it plays. Default: none; only what a model's own name asks for. */
  persona?: PersonaSetting;
  /** Other walls than the persona's published ones. */
  walls?: Partial<Walls>;
  /** Whether a persona fetches images that are given by address. Default: no; such an image is not looked at. */
  fetchImages?: boolean;
  latency?: Latency;
  /** When given, any other key is refused with 401. Without it every bearer key is taken. */
  apiKey?: string;
  /** How many of the newest requests are remembered. Default: all. */
  keepRequests?: number;
};

export type ModelSim = {
  /** Base URL for an OpenAI client, ending in `/v1`. */
  url: string;
  requests: RecordedRequest[];
  clearRequests(): void;
  setScenarios(scenarios: Scenario[]): void;
  setLatency(latency: Latency): void;
  /** From now on, with the published walls unless others are named. */
  setPersona(
    persona: PersonaSetting | undefined,
    options?: Pick<ModelSimOptions, 'walls' | 'fetchImages'>,
  ): void;
  injectFaults(injections: FaultInjection[]): void;
  /** Forgets faults that have hit nothing yet. */
  clearFaults(): void;
  /** Stops listening, gives open answers so long to end (default: no time), cuts the rest; resolves when the port is free. */
  close(graceMs?: number): Promise<void>;
};

/** Starts a simulator; resolves when it listens, rejects when the port cannot be had. */
export async function startModelSim(options: ModelSimOptions = {}): Promise<ModelSim> {
  const context: ChatContext = {
    recorder: new RequestRecorder(options.keepRequests ?? Number.POSITIVE_INFINITY),
    faults: new FaultQueue(),
    cache: new PrefixCache(),
    scenarios: options.scenarios ?? [posterStudio],
    latency: options.latency ?? { firstTokenMs: 0, perChunkMs: 0 },
    bodyLimitBytes: options.bodyLimitBytes,
    persona: options.persona,
    walls: options.walls ?? {},
    fetchImages: options.fetchImages ?? false,
    apiKey: options.apiKey,
  };
  const server = createServer((request, response) => {
    route(request, response, context).catch((error: unknown) => failWith(response, error));
  });
  const host = options.host ?? '127.0.0.1';
  const port = await listen(server, options.port ?? 0, host);
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${port}/v1`,
    requests: context.recorder.requests,
    clearRequests: () => context.recorder.clear(),
    setScenarios: (scenarios) => {
      context.scenarios = scenarios;
    },
    setLatency: (latency) => {
      context.latency = latency;
    },
    setPersona: (persona, { walls = {}, fetchImages = false } = {}) => {
      Object.assign(context, { persona, walls, fetchImages });
    },
    injectFaults: (injections) => context.faults.inject(injections),
    clearFaults: () => context.faults.clear(),
    close: (graceMs = 0) => closeServer(server, graceMs),
  };
}

async function route(
  request: IncomingMessage,
  response: ServerResponse,
  context: ChatContext,
): Promise<void> {
  const { method = 'GET' } = request;
  const [path = '/'] = (request.url ?? '/').split('?');
  if (path === '/healthz') return sendJson(response, 200, { status: 'ok' });
  if (path === '/v1/models' && method === 'GET') return sendJson(response, 200, modelList());
  if (path !== '/v1/chat/completions') {
    return sendJson(response, 404, new ApiError(404, `Invalid URL (${method} ${path})`).body());
  }
  if (method !== 'POST') {
    const refusal = new ApiError(405, 'Only POST requests are accepted.', { code: 'method_not_supported' });
    return sendJson(response, 405, refusal.body());
  }
  return handleChat(request, response, context);
}

function modelList(): unknown {
  return {
    object: 'list',
    data: MODELS.map((id) => ({ id, object: 'model', created: 0, owned_by: 'plinth' })),
  };
}

/** A scenario that throws is a mistake in a test: said in the answer, so that it is found at once. */
function failWith(response: ServerResponse, error: unknown): void {
  if (response.headersSent || response.destroyed) return void response.destroy();
  const message = `The simulator failed: ${error instanceof Error ? error.message : String(error)}`;
  sendJson(response, 500, new ApiError(500, message, { type: 'server_error' }).body());
}

function listen(server: Server, port: number, host: string): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => resolve((server.address() as AddressInfo).port));
  });
}

function closeServer(server: Server, graceMs: number): Promise<void> {
  return new Promise((resolve) => {
    const cutAll = () => server.closeAllConnections();
    const deadline = graceMs > 0 ? setTimeout(cutAll, graceMs) : undefined;
    server.close(() => {
      clearTimeout(deadline);
      resolve();
    });
    if (graceMs <= 0) cutAll();
  });
}
