import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { sendProblem } from '../backend-problem.js';
import { mintSessionToken, type PlinthAccess } from '../mint-session-token.js';
import { identifyVisitor, type Visitor, visitorCookie } from '../visitor.js';
import { RequestSignatures } from './signature.js';

const PREFIX = '/playground/api/plinth';
const TOKEN_SECONDS = 900;
/** Milliseconds before its end at which a token is not used for a new call any more. */
const RENEW_BEFORE_MS = 60_000;
const PASSED_ON = ['content-type', 'accept', 'last-event-id', 'idempotency-key'] as const;
const PASSED_BACK = ['content-type', 'cache-control', 'x-request-id'] as const;

/**
 * For pages that sign their calls: `POST /playground/api/signing-key` gives the visitor's page its key, and whatever it signs
 * goes on to Plinth under the visitor's session token, which the page never sees.
 */
export function signedRoutes(
  app: FastifyInstance,
  { plinth }: { plinth: PlinthAccess },
  done: () => void,
): void {
  const signatures = new RequestSignatures();
  const tokens = new SessionTokens(plinth);
  // The signature is over the bytes that came.
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, parsed) => parsed(null, body));

  app.post('/playground/api/signing-key', async (request, reply) => {
    const visitor = identifyVisitor(request.headers.cookie);
    reply.header('cache-control', 'no-store');
    reply.header('set-cookie', visitorCookie(visitor, request.protocol === 'https'));
    return { key: signatures.keyOf(visitor.secret) };
  });

  app.all(`${PREFIX}/*`, async (request, reply) => {
    const visitor = identifyVisitor(request.headers.cookie);
    const { 'x-studio-signed-at': signedAt, 'x-studio-signature': signature } = request.headers;
    const body = typeof request.body === 'string' ? request.body : '';
    const verdict = signatures.verify(
      visitor.secret,
      { signedAt: signedAt?.toString(), signature: signature?.toString() },
      { method: request.method, url: request.url, body },
    );
    if (verdict !== 'valid')
      return sendProblem(
        request,
        reply,
        403,
        'signature_refused',
        `This call is ${verdict}. Load the page again.`,
      );
    const token = await tokens.of(visitor);
    if (!token.ok) return sendProblem(request, reply, token.status, token.code, token.detail);
    return passOn(plinth, token.token, request, reply, body);
  });
  done();
}

async function passOn(
  plinth: PlinthAccess,
  token: string,
  request: FastifyRequest,
  reply: FastifyReply,
  body: string,
): Promise<FastifyReply> {
  const gone = new AbortController();
  reply.raw.on('close', () => gone.abort());
  const headers = new Headers({ authorization: `Bearer ${token}` });
  for (const name of PASSED_ON) {
    const value = request.headers[name];
    if (value !== undefined) headers.set(name, value.toString());
  }
  // An event stream lasts as long as its reader; everything else has the time that a token has.
  const isStream = request.headers.accept?.includes('text/event-stream') === true;
  const limits = isStream ? [] : [AbortSignal.timeout(plinth.timeoutMs)];
  let answer: Response;
  try {
    answer = await fetch(plinth.url + request.url.slice(PREFIX.length), {
      method: request.method,
      headers,
      signal: AbortSignal.any([gone.signal, ...limits]),
      ...(body === '' ? {} : { body }),
    });
  } catch {
    return sendProblem(request, reply, 502, 'plinth_unreachable', 'Plinth cannot be reached. Try again.');
  }
  reply.status(answer.status);
  for (const name of PASSED_BACK) {
    const value = answer.headers.get(name);
    if (value !== null) reply.header(name, value);
  }
  if (answer.body === null) return reply.send();
  const stream = Readable.fromWeb(answer.body as Parameters<typeof Readable.fromWeb>[0]);
  // The reader has gone, or Plinth has: either way the connection is cut, and the client comes back.
  stream.on('error', () => reply.raw.destroy());
  return reply.send(stream);
}

type Token = { ok: true; token: string } | { ok: false; status: number; code: string; detail: string };

/** One token for each visitor at a time, asked for once however many calls come. */
class SessionTokens {
  readonly #known = new Map<string, { token: Promise<Token>; until: number }>();

  constructor(private readonly plinth: PlinthAccess) {}

  of({ endUserId }: Visitor): Promise<Token> {
    const known = this.#known.get(endUserId);
    if (known !== undefined && known.until > Date.now()) return known.token;
    this.#forgetOld();
    const token = this.#mint(endUserId);
    this.#known.set(endUserId, { token, until: Date.now() + TOKEN_SECONDS * 1000 - RENEW_BEFORE_MS });
    return token;
  }

  async #mint(endUserId: string): Promise<Token> {
    const minted = await mintSessionToken(this.plinth, {
      endUserId,
      ttlSeconds: TOKEN_SECONDS,
      agent: 'poster-studio',
    });
    if (minted.ok) return { ok: true, token: minted.session.token };
    this.#known.delete(endUserId);
    return minted;
  }

  #forgetOld(): void {
    for (const [id, { until }] of this.#known) if (until <= Date.now()) this.#known.delete(id);
  }
}
