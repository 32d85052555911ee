import type { Readable, Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { OutboundError } from './outbound-failure.js';

/** How much of an answer's body is wanted. */
export interface BodyPlan {
  /** After decompression; the same again is the most that is taken from the wire. 0: the body is not read. */
  maxBytes: number;
  /** What a longer body is: refused as `too_large`, or read up to here. */
  longer: 'refuse' | 'cut';
}

/** What `Accept-Encoding` may offer: what `readBody` can undo. */
export const ACCEPTED_ENCODINGS = 'gzip, deflate, br';

const DECODERS: Record<string, () => Transform> = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
};

export interface BodyHead {
  encoding: string | undefined;
  /** `Content-Length`, when the answer has one. */
  length: number | null;
}

/**
 * Reads a body without ever holding more than `maxBytes` of it: a compressed one is undone piece by piece, and
 * given up where it grows too large.
 *
 * @throws OutboundError `too_large`, `unsupported_content` (an unknown encoding) or `broken_response`
 */
export async function readBody(
  body: Readable,
  head: BodyHead,
  plan: BodyPlan,
): Promise<{ bytes: Uint8Array; isCut: boolean }> {
  if (plan.maxBytes === 0) return { bytes: new Uint8Array(), isCut: true };
  if (plan.longer === 'refuse' && head.length !== null && head.length > plan.maxBytes) throw tooLarge(plan);
  const wire = { isCut: false };
  const decoded = decode(body, head.encoding, plan, wire);
  const chunks: Uint8Array[] = [];
  let sizeBytes = 0;
  try {
    for await (const chunk of decoded as AsyncIterable<Uint8Array>) {
      const room = plan.maxBytes - sizeBytes;
      if (chunk.length > room) {
        if (plan.longer === 'refuse') throw tooLarge(plan);
        chunks.push(chunk.subarray(0, room));
        return { bytes: Buffer.concat(chunks), isCut: true };
      }
      chunks.push(chunk);
      sizeBytes += chunk.length;
    }
  } catch (error) {
    // A compressed body that was ended at the limit of the wire ends in the middle.
    if (wire.isCut) return { bytes: Buffer.concat(chunks), isCut: true };
    if (isDecodingError(error))
      throw new OutboundError('broken_response', 'sent a body that cannot be decompressed');
    throw error;
  } finally {
    decoded.destroy();
    body.destroy();
  }
  return { bytes: Buffer.concat(chunks), isCut: wire.isCut };
}

/** @param wire told when the compressed form was cut at the limit */
function decode(
  body: Readable,
  encoding: string | undefined,
  plan: BodyPlan,
  wire: { isCut: boolean },
): Readable {
  const name = encoding?.trim().toLowerCase() ?? '';
  // What is still to come when reading has ended early has nobody to be told of.
  body.on('error', () => {});
  if (name === '' || name === 'identity') return body;
  const make = Object.hasOwn(DECODERS, name) ? DECODERS[name] : undefined;
  if (make === undefined)
    throw new OutboundError('unsupported_content', 'sent a body in an encoding that was not asked for');
  const decoder = make();
  body.on('error', (error) => decoder.destroy(error));
  body.pipe(decoder);
  let wireBytes = 0;
  // A stream can go on for ever and decompress to nothing. Counted after the pipe has taken the piece.
  body.on('data', (chunk: Uint8Array) => {
    wireBytes += chunk.length;
    if (wireBytes <= plan.maxBytes || wire.isCut) return;
    if (plan.longer === 'refuse') return void decoder.destroy(tooLarge(plan));
    wire.isCut = true;
    body.unpipe(decoder);
    decoder.end();
  });
  return decoder;
}

const tooLarge = ({ maxBytes }: BodyPlan) =>
  new OutboundError('too_large', `sent more than ${maxBytes} bytes`);

/** Those of zlib have codes such as Z_DATA_ERROR, Z_BUF_ERROR and ERR__ERROR_FORMAT_... (Brotli). */
function isDecodingError(error: unknown): boolean {
  const code = error instanceof Error ? (error as NodeJS.ErrnoException).code : undefined;
  return typeof code === 'string' && /^(Z_|ERR__ERROR_|ERR_BROTLI|ERR_PADDING)/.test(code);
}
