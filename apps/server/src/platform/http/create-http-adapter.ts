import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { keepRawBody } from './raw-body.js';
import { allowStreamed, streamBody } from './streamed-body.js';

const MIB = 1024 * 1024;
/** Bytes of a request body. */
const BODY_LIMIT = 1 * MIB;
/** A callback brings files as base64: 32 MiB of them, a third more by the encoding, and what is around. */
const CALLBACK_BODY_LIMIT = 44 * MIB;

/** An OpenAPI document of 5 MiB, whose quotes are escaped when it is sent as text. */
const IMPORT_BODY_LIMIT = 8 * MIB;

/** AG-UI clients send the whole conversation with every request. */
const AGUI_BODY_LIMIT = 16 * MIB;

/** Fastify with the limits of the API: body sizes by route, a request id that the caller may bring. */
export function createHttpAdapter(): FastifyAdapter {
  const adapter = new FastifyAdapter({
    bodyLimit: BODY_LIMIT,
    requestTimeout: 120_000,
    genReqId: (request: IncomingMessage) => {
      const brought = request.headers['x-request-id'];
      return typeof brought === 'string' && /^[\w.-]{8,100}$/.test(brought) ? brought : randomUUID();
    },
    routerOptions: { maxParamLength: 200 },
  });
  const app = adapter.getInstance();
  app.addHook('onRoute', (route) => {
    if (route.url.startsWith('/v1/callbacks/')) {
      route.bodyLimit = CALLBACK_BODY_LIMIT;
      route.preParsing = keepRawBody;
    }
    const isContent = route.method === 'PUT' && route.url === '/v1/artifacts/:artifactId/content';
    if (isContent || route.url === '/v1/uploads') route.preParsing = streamBody;
    if (route.url.endsWith('/agui')) route.bodyLimit = AGUI_BODY_LIMIT;
    if (route.url.startsWith('/v1/tools/import/')) route.bodyLimit = IMPORT_BODY_LIMIT;
  });
  allowStreamed(app);
  app.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id);
    reply.header('x-content-type-options', 'nosniff');
    done();
  });
  return adapter;
}
