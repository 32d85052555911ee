import { Transform } from 'node:stream';
import type { FastifyRequest, preParsingHookHandler } from 'fastify';

const bodies = new WeakMap<FastifyRequest, Buffer[]>();

/**
 * Keeps the bytes of a body beside what is parsed from them, for routes whose callers may sign them. They pass through,
 * so that the limit of the route still cuts a body that is too long.
 */
export const keepRawBody: preParsingHookHandler = (request, _reply, payload, done) => {
  const chunks: Buffer[] = [];
  bodies.set(request, chunks);
  const kept = Object.assign(
    new Transform({
      transform(chunk: Buffer, _encoding, passOn) {
        chunks.push(chunk);
        kept.receivedEncodedLength += chunk.length;
        passOn(null, chunk);
      },
    }),
    // Fastify compares it with Content-Length.
    { receivedEncodedLength: 0 },
  );
  payload.on('error', (error) => kept.destroy(error));
  done(null, payload.pipe(kept));
};

/** The bytes as they came; empty for a request of a route that does not keep them. */
export function rawBodyOf(request: FastifyRequest): Buffer {
  return Buffer.concat(bodies.get(request) ?? []);
}
