import createClient from 'openapi-fetch';
import { PlinthClientError } from '../errors/plinth-client-error.js';
import { readProblem } from '../errors/read-problem.js';
import { type Wait, waitWithTimer } from '../time/timing.js';
import { withTimeout } from '../time/with-timeout.js';
import type { AnswerOf, Call, CallOptions, InputOf, Method } from './calls.js';
import type { paths } from './generated/api.js';

export type PlinthServerOptions = {
  /** Where the API is: `https://api.example.com`. */
  baseUrl: string;
  /** `plk_…`, of your tenant. */
  apiKey: string;
  /** Milliseconds for one call, from its start to the last byte of its answer. Default 30 s. */
  timeoutMs?: number;
  /** Sends a request: for a proxy, say, or for tracing. Default: the runtime's own. */
  fetch?: (request: Request) => Promise<Response>;
  wait?: Wait;
};

type SessionInput = InputOf<'/v1/session-tokens', 'post'>['body'];
type Session = AnswerOf<'/v1/session-tokens', 'post'>;

/** The API as a business's back end calls it, with its key. Paths, parameters and answers are those of the API document. */
export type PlinthServer = {
  get: Call<'get'>;
  post: Call<'post'>;
  put: Call<'put'>;
  delete: Call<'delete'>;
  /** A short-lived token of one end user, for a page. */
  mintSessionToken(wanted: SessionInput, options?: CallOptions): Promise<Session>;
};

const TIMEOUT_MS = 30_000;

/** Makes the client of a back end. @throws TypeError when it is called in a page, or with an address that is not whole */
export function createPlinthServer(options: PlinthServerOptions): PlinthServer {
  const { baseUrl, apiKey, timeoutMs: usualMs = TIMEOUT_MS, wait = waitWithTimer } = options;
  if ('document' in globalThis)
    throw new TypeError(
      'createPlinthServer is for back ends: an API key that a page has is everybody’s. Mint a session token there, and use createPlinth here.',
    );
  if (!URL.canParse(baseUrl))
    throw new TypeError(`baseUrl must be a whole address such as https://api.example.com, not "${baseUrl}".`);

  const client = createClient<paths>({
    baseUrl,
    headers: { authorization: `Bearer ${apiKey}`, accept: 'application/json' },
    bodySerializer: (body) => (isBytes(body) ? body : JSON.stringify(body)),
    ...(options.fetch && { fetch: options.fetch }),
  });
  client.use({
    onResponse: async ({ request, response }) => {
      if (!response.ok) throw await readProblem(response, nameOf(request.method, request.url));
    },
  });

  const call =
    (method: Method) =>
    async (path: string, input: Loose = {}): Promise<unknown> => {
      const { idempotencyKey, timeoutMs = usualMs, signal, ...init } = input;
      const what = `${method.toUpperCase()} ${path}`;
      const headers = {
        ...(isBytes(init.body) && { 'content-type': 'application/octet-stream' }),
        ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
      };
      return withTimeout(what, { wait, timeoutMs, signal }, async (limit) => {
        try {
          const answer = await (client.request as LooseRequest)(method, path, {
            ...init,
            headers,
            signal: limit,
          });
          return answer.data;
        } catch (error) {
          throw failureOf(what, error);
        }
      });
    };

  const post = call('post') as Call<'post'>;
  return {
    get: call('get') as Call<'get'>,
    post,
    put: call('put') as Call<'put'>,
    delete: call('delete') as Call<'delete'>,
    mintSessionToken: (body, callOptions) => post('/v1/session-tokens', { ...callOptions, body }),
  };
}

/** What stands behind the types of a call. */
type Loose = CallOptions & { body?: unknown };
type LooseRequest = (method: Method, path: string, init: object) => Promise<{ data?: unknown }>;

const isBytes = (body: unknown): body is Blob | ArrayBuffer | ArrayBufferView<ArrayBuffer> =>
  body instanceof Blob || body instanceof ArrayBuffer || ArrayBuffer.isView(body);

const nameOf = (method: string, url: string): string => `${method} ${new URL(url).pathname}`;

/** What came instead of an answer. */
function failureOf(what: string, cause: unknown): PlinthClientError {
  if (PlinthClientError.isInstance(cause)) return cause;
  if (cause instanceof SyntaxError)
    return new PlinthClientError({
      code: 'invalid_response',
      message: `${what} was answered with something else than JSON. Check baseUrl and the proxies on the way.`,
      cause,
    });
  return new PlinthClientError({
    code: 'network',
    message: `${what} did not reach the server. Check baseUrl and the connection.`,
    cause,
  });
}
