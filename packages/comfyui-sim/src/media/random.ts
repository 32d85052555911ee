import { createHash } from 'node:crypto';

/** Numbers from 0 to 1 that depend on the seed and the text alone. The generator is mulberry32. */
export function randomFrom(seed: number | string, text: string): () => number {
  let state = createHash('sha256').update(`${seed}\n${text}`).digest().readUInt32LE(0);
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
