import type { Readable } from 'node:stream';
import { PlinthError } from '@plinth/protocol';
import type { FastifyInstance, FastifyRequest, preParsingHookHandler } from 'fastify';

/**
 * Bodies that nobody reads before it is known who sends them and how long they may be, whatever their type says. Fastify
 * chooses a parser by the type alone, so such a route gives its requests a type of their own.
 */
const STREAMED = 'application/vnd.plinth.streamed';

const declared = new WeakMap<FastifyRequest, string | undefined>();

/** For routes that read their bodies themselves: `preParsing`. */
export const streamBody: preParsingHookHandler = (request, _reply, payload, done) => {
  declared.set(request, request.headers['content-type']);
  request.headers['content-type'] = STREAMED;
  done(null, payload);
};

/** Teaches an adapter to leave such bodies alone. Of any other route they are of an unknown type. */
export function allowStreamed(app: FastifyInstance): void {
  app.addContentTypeParser(STREAMED, (request, payload, done) => {
    if (declared.has(request)) return done(null, payload);
    done(Object.assign(new Error('A body of this type cannot be read here.'), { statusCode: 415 }));
  });
}

/** The type that the sender has named. It is a hint at best. */
export function declaredType(request: FastifyRequest): string | undefined {
  return declared.get(request);
}

/**
 * The whole body; no more than this is ever held. The rest of one that is too long is not kept.
 *
 * @throws PlinthError body_too_large; invalid_request when the sender breaks off
 */
export async function readStreamed(request: FastifyRequest, maxBytes: number): Promise<Uint8Array> {
  const body = request.body as Readable | undefined;
  if (body === undefined) return new Uint8Array();
  if (Number(request.headers['content-length'] ?? 0) > maxBytes) {
    body.resume();
    throw tooLarge(maxBytes);
  }
  const chunks: Buffer[] = [];
  let length = 0;
  return new Promise<Uint8Array>((resolve, reject) => {
    const broken = () => reject(new PlinthError('invalid_request', 'The body broke off. Send it again.'));
    body.on('data', (chunk: Buffer) => {
      length += chunk.length;
      if (length <= maxBytes) chunks.push(chunk);
      else {
        chunks.length = 0;
        reject(tooLarge(maxBytes));
      }
    });
    body.once('end', () => resolve(Buffer.concat(chunks)));
    body.once('error', broken);
    body.once('close', broken);
  });
}

const tooLarge = (maxBytes: number) =>
  new PlinthError('body_too_large', `The body has more than ${maxBytes} bytes. Send a smaller one.`, {
    maxBytes,
  });
