import { createHash, randomInt, timingSafeEqual } from 'node:crypto';

/**
 * The form of an API key: `plk_<prefix>_<secret>`. The prefix is stored and shown, so that a person can tell
 * keys apart; of the rest only a hash is kept. The secret has 190 random bits, which is why a plain SHA-256
 * is enough: there is nothing to guess that a slow hash would protect.
 *
 * Keys are made with 8 and 32 characters. Reading allows more, for keys that an operator brings along.
 */
export interface ParsedApiKey {
  clear: string;
  prefix: string;
}

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const PREFIX_LENGTH = 8;
const SECRET_LENGTH = 32;
const PATTERN = /^plk_([0-9A-Za-z]{4,16})_[0-9A-Za-z_-]{32,128}$/;

/** Makes a new key. It is shown once, and cannot be had again. */
export function generateApiKey(): ParsedApiKey {
  const prefix = randomBase62(PREFIX_LENGTH);
  return { prefix, clear: `plk_${prefix}_${randomBase62(SECRET_LENGTH)}` };
}

/** True for what is meant to be an API key rather than a session token, well-formed or not. */
export function looksLikeApiKey(credential: string): boolean {
  return credential.startsWith('plk_');
}

/** Null when the text does not have the form of a key. */
export function parseApiKey(text: string): ParsedApiKey | null {
  const prefix = PATTERN.exec(text)?.[1];
  return prefix === undefined ? null : { clear: text, prefix };
}

/** SHA-256 of the whole key, in hex: what is kept at rest. */
export function hashApiKey(clear: string): string {
  return createHash('sha256').update(clear).digest('hex');
}

/** Compares in constant time, so that the time taken says nothing about the stored hash. */
export function matchesApiKeyHash(clear: string, storedHash: string): boolean {
  const expected = Buffer.from(storedHash, 'hex');
  const actual = Buffer.from(hashApiKey(clear), 'hex');
  return expected.length === actual.length && timingSafeEqual(expected, actual);
}

function randomBase62(length: number): string {
  return Array.from({ length }, () => ALPHABET.charAt(randomInt(ALPHABET.length))).join('');
}
