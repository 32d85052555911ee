import { deflateRaw, inflateRaw } from 'pako';
import {
  DEFLATE_LEVEL,
  type DecodedField,
  type SnapshotCodec,
  unwrapField,
  wrapField,
} from './snapshot-codec.js';

const CRC_TABLE = Uint32Array.from({ length: 256 }, (_, index) => {
  let value = index;
  for (let bit = 0; bit < 8; bit += 1) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1;
  return value;
});

/** The codec where there is no zlib: browsers, which show a stored snapshot. */
export class PakoSnapshotCodec implements SnapshotCodec {
  async encode(text: string): Promise<Uint8Array> {
    return wrapField(deflateRaw(new TextEncoder().encode(text), { level: DEFLATE_LEVEL }), crc32);
  }

  async decode(bytes: Uint8Array): Promise<DecodedField> {
    const field = unwrapField(bytes, crc32);
    if (!field.ok) return field;
    try {
      const raw: Uint8Array | undefined = inflateRaw(field.compressed);
      // What pako gives for input that ends too early, whatever its types say.
      if (raw === undefined) return { ok: false, why: 'corrupt' };
      return { ok: true, text: new TextDecoder('utf-8', { ignoreBOM: true }).decode(raw) };
    } catch {
      return { ok: false, why: 'corrupt' };
    }
  }
}

function crc32(bytes: Uint8Array, previous = 0): number {
  let value = ~previous;
  for (const byte of bytes) value = (value >>> 8) ^ (CRC_TABLE[(value ^ byte) & 0xff] ?? 0);
  return ~value >>> 0;
}
