import { PlinthClientError } from '../errors/plinth-client-error.js';
import { readProblem } from '../errors/read-problem.js';
import type { Wait } from '../time/timing.js';
import { withTimeout } from '../time/with-timeout.js';
import type { Transport } from './transport.js';

/** Milliseconds for one call, from its start to the last byte of its body. Starting a run takes well under one second. */
const TIMEOUT_MS = 30_000;
/** Milliseconds for a call that carries a file: 32 MiB, the largest the server takes, at 1 Mbit/s. */
const BYTES_TIMEOUT_MS = 300_000;

export type CallOptions = { signal?: AbortSignal | undefined; headers?: Record<string, string> };
export type BytesCall = CallOptions & { method: 'POST' | 'PUT'; body: Blob | string };

/** Calls of the API. They reject with a `PlinthClientError`. */
export type HttpClient = {
  get<T>(path: string, options?: CallOptions): Promise<T>;
  post<T>(path: string, body: unknown, options?: CallOptions): Promise<T>;
  /** Sends bytes as they are and reads JSON. */
  sendBytes<T>(path: string, call: BytesCall): Promise<T>;
  getBytes(path: string, options?: CallOptions): Promise<Blob>;
};

type Call = { init: RequestInit; signal: AbortSignal | undefined; timeoutMs: number };

export function createHttpClient(transport: Transport, wait: Wait): HttpClient {
  function call<T>(
    path: string,
    { init, signal, timeoutMs }: Call,
    read: (response: Response, what: string) => Promise<T>,
  ): Promise<T> {
    const what = `${init.method ?? 'GET'} ${path}`;
    return withTimeout(what, { wait, timeoutMs, signal }, async (limit) => {
      const response = await transport(path, { ...init, signal: limit });
      if (!response.ok) throw await readProblem(response, what);
      return read(response, what);
    });
  }
  const callJson = <T>(path: string, options: Call) =>
    call(path, options, async (response, what) => (await readJson(response, what)) as T);

  return {
    get: (path, { signal, headers } = {}) => {
      const init = { headers: { accept: 'application/json', ...headers } };
      return callJson(path, { init, signal, timeoutMs: TIMEOUT_MS });
    },
    post: (path, body, { signal, headers } = {}) => {
      const all = { accept: 'application/json', 'content-type': 'application/json', ...headers };
      const init = { method: 'POST', headers: all, body: JSON.stringify(body) };
      return callJson(path, { init, signal, timeoutMs: TIMEOUT_MS });
    },
    sendBytes: (path, { method, body, signal, headers }) => {
      const init = { method, headers: { accept: 'application/json', ...headers }, body };
      return callJson(path, { init, signal, timeoutMs: BYTES_TIMEOUT_MS });
    },
    getBytes: (path, { signal, headers = {} } = {}) =>
      call(path, { init: { headers }, signal, timeoutMs: BYTES_TIMEOUT_MS }, readBytes),
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

async function readBytes(response: Response, what: string): Promise<Blob> {
  try {
    return await response.blob();
  } catch (cause) {
    throw new PlinthClientError({
      code: 'network',
      message: `${what} broke off before its end. Try again.`,
      cause,
    });
  }
}
