/** A part of the bytes, both ends included; `whole` when no part is asked for in a way that is served here. */
export type ByteRange =
  | { kind: 'whole' }
  | { kind: 'part'; start: number; end: number }
  | { kind: 'outside' };

const RANGE = /^bytes=(\d{0,15})-(\d{0,15})$/;
const WHOLE: ByteRange = { kind: 'whole' };

/**
 * Reads a `Range` header (RFC 9110, 14.2). Players ask for parts to jump to a place. Several parts at once, other units
 * and what cannot be read are answered with the whole, as the standard allows.
 *
 * @param ifRange the part is wanted only of this version (an ETag); of another one the whole
 */
export function readByteRange(
  { range, ifRange }: { range: string | undefined; ifRange: string | undefined },
  { sizeBytes, etag }: { sizeBytes: number; etag: string },
): ByteRange {
  const [, first = '', last = ''] = RANGE.exec(range ?? '') ?? [];
  if ((first === '' && last === '') || (ifRange !== undefined && ifRange !== etag)) return WHOLE;
  if (first === '') {
    // The last so many bytes.
    const wanted = Math.min(Number(last), sizeBytes);
    return wanted === 0
      ? { kind: 'outside' }
      : { kind: 'part', start: sizeBytes - wanted, end: sizeBytes - 1 };
  }
  const start = Number(first);
  const end = last === '' ? sizeBytes - 1 : Math.min(Number(last), sizeBytes - 1);
  if (last !== '' && Number(last) < start) return WHOLE;
  return start >= sizeBytes ? { kind: 'outside' } : { kind: 'part', start, end };
}
