import type { FastifyInstance } from 'fastify';
import { sendProblem } from './backend-problem.js';
import { mintSessionToken, type PlinthAccess } from './mint-session-token.js';
import { identifyVisitor, visitorCookie } from './visitor.js';

const TOKEN_SECONDS = 900;

export type SessionRouteOptions = {
  plinth: PlinthAccess;
  /** Whether the tokens may be used to see what the model was sent. */
  inspector: boolean;
};

/** `POST /playground/api/session`: knows the visitor by a cookie and hands out a token for that visitor only. */
export function sessionRoute(app: FastifyInstance, { plinth, inspector }: SessionRouteOptions): void {
  app.post('/playground/api/session', async (request, reply) => {
    const visitor = identifyVisitor(request.headers.cookie);
    const minted = await mintSessionToken(plinth, {
      endUserId: visitor.endUserId,
      ttlSeconds: TOKEN_SECONDS,
      agent: 'poster-studio',
      scopes: inspector ? ['debug'] : [],
    });
    reply.header('cache-control', 'no-store');
    if (!minted.ok) {
      request.log.warn({ code: minted.code }, minted.detail);
      return sendProblem(request, reply, minted.status, minted.code, minted.detail);
    }
    reply.header('set-cookie', visitorCookie(visitor, request.protocol === 'https'));
    return minted.session;
  });
}
