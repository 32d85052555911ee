import { PlinthClientError } from '../errors/plinth-client-error.js';
import { readProblem } from '../errors/read-problem.js';
import type { Wait } from '../plinth.js';
import { withTimeout } from '../time/with-timeout.js';
import type { Transport } from './transport.js';

/** Milliseconds for one call, from its start to the last byte of its body. Starting a run takes well under one second. */
const TIMEOUT_MS = 30_000;

export type CallOptions = { signal?: AbortSignal | undefined; headers?: Record<string, string> };

/** JSON calls. They reject with a `PlinthClientError`. */
export type HttpClient = {
  get<T>(path: string, options?: CallOptions): Promise<T>;
  post<T>(path: string, body: unknown, options?: CallOptions): Promise<T>;
};

export function createHttpClient(transport: Transport, wait: Wait): HttpClient {
  function call<T>(path: string, init: RequestInit, signal: AbortSignal | undefined): Promise<T> {
    const what = `${init.method ?? 'GET'} ${path}`;
    return withTimeout(what, { wait, timeoutMs: TIMEOUT_MS, signal }, async (limit) => {
      const response = await transport(path, { ...init, signal: limit });
      if (!response.ok) throw await readProblem(response, what);
      return (await readJson(response, what)) as T;
    });
  }

  return {
    get: (path, { signal, headers } = {}) =>
      call(path, { headers: { accept: 'application/json', ...headers } }, signal),
    post: (path, body, { signal, headers } = {}) => {
      const all = { accept: 'application/json', 'content-type': 'application/json', ...headers };
      return call(path, { method: 'POST', headers: all, body: JSON.stringify(body) }, signal);
    },
  };
}

async function readJson(response: Response, what: string): Promise<unknown> {
  try {
    return await response.json();
  } catch (cause) {
    const message = `${what} was answered with something else than JSON. Check baseUrl and the proxies on the way.`;
    throw new PlinthClientError({ code: 'invalid_response', message, status: response.status, cause });
  }
}
