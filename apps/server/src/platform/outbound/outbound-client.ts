import type { Socket } from 'node:net';
import type { Clock } from '@plinth/engine';
import type { TenantId } from '@plinth/protocol';
import { request as sendRequest } from 'undici';
import { guardedAgent, type Resolve, systemResolve } from './guarded-agent.js';
import { type Hop, nextHop, parseUrl } from './hops.js';
import { failureOf, OutboundError, type OutboundFailure } from './outbound-failure.js';
import type { OutboundPolicy } from './outbound-policy.js';
import { ACCEPTED_ENCODINGS, type BodyPlan, readBody } from './read-body.js';

/** Milliseconds for the name, the connection and TLS together. */
const CONNECT_TIMEOUT_MS = 10_000;
const USER_AGENT = 'Plinth';

export interface OutboundPolicies {
  of(tenant: TenantId): Promise<OutboundPolicy>;
}

export interface OutboundRequest {
  url: string;
  method: string;
  headers?: Record<string, string>;
  body?: string | Uint8Array;
  /** Milliseconds from the start to the last byte, redirects included. */
  timeoutMs: number;
  /** Redirects that are followed. 0: any redirect is a `bad_redirect`. */
  maxRedirects: number;
  /** What to read, once status and content type are known. @throws OutboundError to refuse the answer */
  plan: (head: OutboundHead) => BodyPlan;
}

export interface OutboundHead {
  status: number;
  /** Lower-case names; repeated ones are joined by ", ". */
  headers: Readonly<Record<string, string>>;
  /** Without parameters, in lower case; '' when the answer names none. */
  contentType: string;
  /** After redirects. */
  url: string;
}

export interface OutboundResponse extends OutboundHead {
  body: Uint8Array;
  /** The body was longer than the plan wanted it. */
  isCut: boolean;
}

export type OutboundResult =
  | { ok: true; response: OutboundResponse }
  | { ok: false; failure: OutboundFailure };

/** What one `send` knows of its connections. */
interface Progress {
  connected: boolean;
}

/**
 * Sends every request whose URL comes from a tenant, a model or another service. Each connection, that of a redirect
 * too, is checked against the tenant's policy at the address that it really goes to. One connection a request: what
 * was allowed to one tenant is never there for another to use.
 */
export class OutboundClient {
  constructor(
    private readonly policies: OutboundPolicies,
    private readonly clock: Clock,
    private readonly resolve: Resolve = systemResolve,
  ) {}

  /** Any answer of the other side is `ok`, whatever its status. @throws the signal's reason when it aborts */
  async send(tenant: TenantId, request: OutboundRequest, signal: AbortSignal): Promise<OutboundResult> {
    signal.throwIfAborted();
    const policy = await this.policies.of(tenant);
    const cut = new AbortController();
    const onAbort = () => cut.abort(signal.reason);
    signal.addEventListener('abort', onAbort, { once: true });
    const stopTimer = this.#after(request.timeoutMs, cut, 'gave no whole answer');
    const progress: Progress = { connected: false };
    try {
      return { ok: true, response: await this.#follow(policy, request, cut, progress) };
    } catch (error) {
      signal.throwIfAborted();
      return {
        ok: false,
        failure: failureOf(cut.signal.aborted ? cut.signal.reason : error, progress.connected),
      };
    } finally {
      stopTimer();
      signal.removeEventListener('abort', onAbort);
    }
  }

  async #follow(
    policy: OutboundPolicy,
    request: OutboundRequest,
    cut: AbortController,
    progress: Progress,
  ): Promise<OutboundResponse> {
    let hop = firstHop(request);
    for (let redirects = 0; ; redirects += 1) {
      const result = await this.#exchange(policy, hop, request.plan, cut, progress);
      if ('body' in result) return result;
      if (redirects >= request.maxRedirects)
        throw new OutboundError('bad_redirect', `redirects more than ${request.maxRedirects} times`);
      hop = result.next;
    }
  }

  async #exchange(
    policy: OutboundPolicy,
    hop: Hop,
    plan: OutboundRequest['plan'],
    cut: AbortController,
    progress: Progress,
  ): Promise<OutboundResponse | { next: Hop }> {
    cut.signal.throwIfAborted();
    const sockets: Socket[] = [];
    const stopTimer = this.#after(CONNECT_TIMEOUT_MS, cut, 'could not be connected to');
    const agent = guardedAgent({
      policy,
      resolve: this.resolve,
      onSocket: (socket) => sockets.push(socket),
      onConnected: () => {
        progress.connected = true;
        stopTimer();
      },
    });
    try {
      const sent = sendRequest(hop.url, {
        dispatcher: agent,
        method: hop.method as 'GET',
        headers: hop.headers,
        body: hop.body,
        signal: cut.signal,
      });
      // While it connects, undici does not listen to the signal.
      const { statusCode, headers, body } = await Promise.race([sent, whenCut(cut.signal)]);
      body.on('error', () => {});
      const head = headOf(statusCode, headers, hop.url);
      const next = nextHop(hop, statusCode, head.headers.location);
      if (next !== null) return { next };
      const wanted = plan(head);
      const length = Number(head.headers['content-length'] ?? Number.NaN);
      const { bytes, isCut } = await readBody(
        body,
        { encoding: head.headers['content-encoding'], length: Number.isNaN(length) ? null : length },
        hop.method === 'HEAD' ? { ...wanted, maxBytes: 0 } : wanted,
      );
      return { ...head, body: bytes, isCut };
    } finally {
      stopTimer();
      // Also a socket that is still connecting, which the agent would wait for.
      for (const socket of sockets) socket.destroy();
      agent.destroy().catch(() => {});
    }
  }

  /** Cuts the request off after this time. Returns what stops the timer. */
  #after(ms: number, cut: AbortController, what: string): () => void {
    const timer = new AbortController();
    this.clock.wait(ms, timer.signal).then(
      () => cut.abort(new OutboundError('timed_out', `${what} within ${ms} ms`)),
      () => {},
    );
    return () => timer.abort();
  }
}

async function whenCut(signal: AbortSignal): Promise<never> {
  if (!signal.aborted)
    await new Promise<void>((resolve) => {
      signal.addEventListener('abort', () => resolve(), { once: true });
    });
  throw signal.reason;
}

function firstHop({ url, method, headers = {}, body = undefined }: OutboundRequest): Hop {
  const given = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]);
  return {
    url: parseUrl(url),
    method,
    headers: {
      'user-agent': USER_AGENT,
      ...Object.fromEntries(given),
      'accept-encoding': ACCEPTED_ENCODINGS,
    },
    body: body ?? null,
  };
}

function headOf(status: number, raw: Record<string, string | string[] | undefined>, url: URL): OutboundHead {
  const headers = Object.fromEntries(
    Object.entries(raw).map(([name, value]) => [
      name,
      Array.isArray(value) ? value.join(', ') : (value ?? ''),
    ]),
  );
  const contentType = (headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase() ?? '';
  return { status, headers, contentType, url: url.href };
}
