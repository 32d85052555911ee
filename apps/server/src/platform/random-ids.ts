import { randomBytes } from 'node:crypto';
import type { Clock, IdSource } from '@plinth/engine';
import { ID_PREFIX } from '@plinth/protocol';

const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';
const TIME_CHARACTERS = 10;

/**
 * Ids like `run_01kb8p…`: 50 bits of time, so that rows of one table lie in the order they were made, then 80
 * random bits, so that nobody guesses one. The layout is that of a ULID (https://github.com/ulid/spec).
 */
export class RandomIds implements IdSource {
  constructor(private readonly clock: Clock) {}

  next(kind: keyof typeof ID_PREFIX): string {
    let time = this.clock.now();
    let text = '';
    for (let i = 0; i < TIME_CHARACTERS; i += 1) {
      text = ALPHABET[time % 32] + text;
      time = Math.floor(time / 32);
    }
    // 16 bytes of 5 bits each: the upper bits of a byte are as random as the lower.
    for (const byte of randomBytes(16)) text += ALPHABET[byte % 32];
    return `${ID_PREFIX[kind]}_${text}`;
  }
}
