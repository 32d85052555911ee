/**
 * What a snapshot field looks like in Redis:
 *
 *   byte 0      tag: format and compression in one number
 *   bytes 1..4  CRC-32 (big endian) of everything else, tag included
 *   bytes 5..   the text in UTF-8, compressed with raw DEFLATE
 *
 * The checksum covers the stored bytes, not the text: DEFLATE has bits that no decoder looks at, and a field
 * with one of them flipped must be a miss as well. It is checked before anything is inflated.
 */
export const DEFLATE_TAG = 1;

/** Fast and already small: higher levels take several times as long for a few percent of JSON text. */
export const DEFLATE_LEVEL = 1;

const HEADER_BYTES = 5;

export type DecodedField =
  | { ok: true; text: string }
  /** A broken field is a cache miss that is counted, never an error: the ledger has the truth. */
  | { ok: false; why: DecodeFailure };

export type DecodeFailure = 'unknown_codec' | 'checksum' | 'corrupt';

/** Turns one snapshot field into stored bytes and back. Whatever implementation wrote it, any other reads it. */
export interface SnapshotCodec {
  /** `text` is well-formed Unicode, as `JSON.stringify` always gives. */
  encode(text: string): Promise<Uint8Array>;
  /** Never throws on any input. */
  decode(bytes: Uint8Array): Promise<DecodedField>;
}

/** CRC-32 (IEEE) of `bytes`, going on from the checksum of what stands before them. */
export type Crc32 = (bytes: Uint8Array, previous?: number) => number;

/** Puts tag and checksum before compressed bytes. */
export function wrapField(compressed: Uint8Array, crc32: Crc32): Uint8Array {
  const field = new Uint8Array(HEADER_BYTES + compressed.length);
  field[0] = DEFLATE_TAG;
  field.set(compressed, HEADER_BYTES);
  new DataView(field.buffer).setUint32(1, checksumOf(field, crc32));
  return field;
}

/** Checks tag and checksum; the compressed bytes, when both are right. */
export function unwrapField(
  field: Uint8Array,
  crc32: Crc32,
): { ok: true; compressed: Uint8Array } | { ok: false; why: DecodeFailure } {
  if (field.length < HEADER_BYTES) return { ok: false, why: 'corrupt' };
  if (field[0] !== DEFLATE_TAG) return { ok: false, why: 'unknown_codec' };
  const stored = new DataView(field.buffer, field.byteOffset, field.byteLength).getUint32(1);
  if (stored !== checksumOf(field, crc32)) return { ok: false, why: 'checksum' };
  return { ok: true, compressed: field.subarray(HEADER_BYTES) };
}

function checksumOf(field: Uint8Array, crc32: Crc32): number {
  return crc32(field.subarray(HEADER_BYTES), crc32(field.subarray(0, 1)));
}
