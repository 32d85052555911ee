import { promisify } from 'node:util';
import { crc32, deflateRaw, deflateRawSync, inflateRaw, inflateRawSync } from 'node:zlib';
import {
  DEFLATE_LEVEL,
  type DecodedField,
  type SnapshotCodec,
  unwrapField,
  wrapField,
} from './snapshot-codec.js';

/** Below this a trip to the thread pool costs more than the work; above it the event loop must not wait. */
const ASYNC_FROM_BYTES = 32 * 1024;
const OPTIONS = { level: DEFLATE_LEVEL };

const deflateInPool = promisify<Buffer, typeof OPTIONS, Buffer>(deflateRaw);
const inflateInPool = promisify<Uint8Array, Buffer>(inflateRaw);

/** The codec on the server: native zlib. */
export class ZlibSnapshotCodec implements SnapshotCodec {
  async encode(text: string): Promise<Uint8Array> {
    const raw = Buffer.from(text, 'utf8');
    const compressed =
      raw.length < ASYNC_FROM_BYTES ? deflateRawSync(raw, OPTIONS) : await deflateInPool(raw, OPTIONS);
    return wrapField(compressed, crc32);
  }

  async decode(bytes: Uint8Array): Promise<DecodedField> {
    const field = unwrapField(bytes, crc32);
    if (!field.ok) return field;
    try {
      const { compressed } = field;
      const raw =
        compressed.length < ASYNC_FROM_BYTES ? inflateRawSync(compressed) : await inflateInPool(compressed);
      return { ok: true, text: raw.toString('utf8') };
    } catch {
      return { ok: false, why: 'corrupt' };
    }
  }
}
