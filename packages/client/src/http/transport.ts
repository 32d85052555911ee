import { PlinthClientError } from '../errors/plinth-client-error.js';
import type { Auth, RequestSeam } from './seams.js';
import { createTokenSource } from './token-source.js';

/**
 * Sends one authorised call to a path of the API, or to a whole URL that the API has given (a signed one, which opens without a
 * token). Rejects only when no response came.
 */
export type Transport = (path: string, init: RequestInit) => Promise<Response>;

export type TransportOptions = {
  baseUrl: string;
  auth?: Auth | undefined;
  request?: RequestSeam | undefined;
};

/** The one way out of this package: through the host's `request`, or through fetch with its bearer token. */
export function createTransport({ baseUrl, auth, request }: TransportOptions): Transport {
  const root = baseUrl.replace(/\/+$/, '');
  const send = request ?? ((url: string, init: RequestInit) => fetch(url, init));
  const call: Transport = async (path, init) => {
    try {
      return await send(isWholeUrl(path) ? path : root + path, init);
    } catch (error) {
      throw noResponse(path, init, error);
    }
  };
  return request || !auth ? call : withToken(call, auth);
}

/** Adds the token; when it is refused, repeats the call once with the next one. */
function withToken(call: Transport, auth: Auth): Transport {
  const tokens = createTokenSource(auth);
  return async (path, init) => {
    // A storage of its own must not get to know the token.
    if (isWholeUrl(path)) return call(path, init);
    const token = await tokens.current();
    const response = await call(path, authorised(init, token));
    if (response.status !== 401) return response;
    void response.body?.cancel().catch(() => undefined);
    return call(path, authorised(init, await tokens.after(token)));
  };
}

/** Whether a text names its host itself. */
export const isWholeUrl = (text: string): boolean => /^[a-z][a-z0-9+.-]*:/i.test(text);

function authorised(init: RequestInit, token: string): RequestInit {
  const headers = new Headers(init.headers);
  headers.set('authorization', `Bearer ${token}`);
  return { ...init, headers };
}

function noResponse(path: string, init: RequestInit, cause: unknown): PlinthClientError {
  if (PlinthClientError.isInstance(cause)) return cause;
  const what = `${init.method ?? 'GET'} ${path}`;
  if (init.signal?.aborted)
    return new PlinthClientError({ code: 'aborted', message: `${what} was given up.`, cause });
  return new PlinthClientError({
    code: 'network',
    message: `${what} did not reach the server. Check the connection.`,
    cause,
  });
}
