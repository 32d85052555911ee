import httpProxy from '@fastify/http-proxy';
import type { FastifyInstance } from 'fastify';

const UPSTREAM_TIMEOUT_MS = 30_000;

/**
 * Serves the sample business at `/playground` of the same origin, from its own back end: that one holds the API key
 * and mints session tokens, as a business would.
 */
export async function servePlayground(app: FastifyInstance, upstream: string): Promise<void> {
  await app.register(httpProxy, {
    upstream,
    prefix: '/playground',
    rewritePrefix: '/playground',
    http: { requestOptions: { timeout: UPSTREAM_TIMEOUT_MS } },
  });
  app.get('/', (_request, reply) => reply.redirect('/playground/'));
}
