import { timingSafeEqual } from 'node:crypto';

/** Compares in constant time, and any text: its bytes are counted, not its characters. */
export function isSameText(given: string, expected: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(expected)];
  return a.length === b.length && timingSafeEqual(a, b);
}
