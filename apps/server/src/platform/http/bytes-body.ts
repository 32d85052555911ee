import type { FastifyInstance, FastifyRequest, preParsingHookHandler } from 'fastify';

/**
 * Bodies that are taken as they come, whatever their type says: a JSON file is a file here. Fastify chooses a parser by
 * the type alone, so routes that want bytes give their requests a type of their own, which nobody can send from outside.
 */
const BYTES = 'application/vnd.plinth.bytes';

const declared = new WeakMap<FastifyRequest, string | undefined>();

/** For routes that read bytes: `preParsing`. */
export const readAsBytes: preParsingHookHandler = (request, _reply, payload, done) => {
  declared.set(request, request.headers['content-type']);
  request.headers['content-type'] = BYTES;
  done(null, payload);
};

/** The type that the sender has named. It is a hint at best. */
export function declaredType(request: FastifyRequest): string | undefined {
  return declared.get(request);
}

/** Teaches an adapter to read them; of any other route, such a body is refused like one of an unknown type. */
export function parseBytes(app: FastifyInstance): void {
  app.addContentTypeParser(BYTES, { parseAs: 'buffer' }, (request, body, done) => {
    if (declared.has(request)) return done(null, body);
    done(Object.assign(new Error('A body of this type cannot be read here.'), { statusCode: 415 }));
  });
}
