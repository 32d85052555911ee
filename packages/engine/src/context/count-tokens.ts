import { createRequire } from 'node:module';

/**
 * Counts tokens as `o200k_base` does (the encoding of the GPT-4o, 4.1 and 5 families), in bounded time whatever the
 * text. Two guards, since the merging of one unbroken run costs the square of its length (50,000 times `x`: 1.6 s):
 * such runs are counted in pieces, and of a very long text only samples.
 */

/** Code points of a run without a break that are counted at once. Prose has no longer run, so it is counted exactly. */
const LONGEST_RUN = 64;
const UNBROKEN = new RegExp(`\\S{${LONGEST_RUN + 1},}|\\s{${LONGEST_RUN + 1},}`, 'gu');
const PIECE = new RegExp(`[\\s\\S]{1,${LONGEST_RUN}}`, 'gu');
/** UTF-16 code units up to which all of a text is counted: about 20 ms of the densest text, rare ideographs. */
const LONGEST_COUNTED = 12_000;
const SAMPLES = 8;
const SAMPLE_LENGTH = 1_000;

type Encoding = Pick<typeof import('gpt-tokenizer/encoding/o200k_base'), 'countTokens'>;
/** What looks like a control token is text like any other: a model never gets it as a token from us. */
const AS_TEXT = { disallowedSpecial: new Set<string>() };

let loaded: Encoding | null = null;

/** Its table takes a fifth of a second to load: not at the start of every process that never counts. */
function encoding(): Encoding {
  loaded ??= createRequire(import.meta.url)('gpt-tokenizer/encoding/o200k_base') as Encoding;
  return loaded;
}

/** Loads the table now, so that the first count of a busy process does not stop it. */
export function loadTokenCounter(): void {
  encoding();
}

function countAll(text: string): number {
  const { countTokens: count } = encoding();
  let total = 0;
  let from = 0;
  for (const run of text.matchAll(UNBROKEN)) {
    total += count(text.slice(from, run.index), AS_TEXT);
    for (const piece of run[0].match(PIECE) ?? []) total += count(piece, AS_TEXT);
    from = run.index + run[0].length;
  }
  return total + count(text.slice(from), AS_TEXT);
}

/** Evenly spaced pieces, the first and the last part among them, scaled up. */
function estimate(text: string): number {
  const step = (text.length - SAMPLE_LENGTH) / (SAMPLES - 1);
  let sampled = 0;
  for (let sample = 0; sample < SAMPLES; sample += 1) {
    const from = Math.floor(sample * step);
    sampled += countAll(text.slice(from, from + SAMPLE_LENGTH));
  }
  return Math.ceil((sampled / (SAMPLES * SAMPLE_LENGTH)) * text.length);
}

/**
 * Tokens of a text. Exact for prose up to 12,000 characters; a run of more than 64 characters without a space (base64,
 * Chinese without punctuation) may be counted a few percent too high; of a longer text it is an estimate from samples.
 */
export function countTokens(text: string): number {
  return text.length <= LONGEST_COUNTED ? countAll(text) : estimate(text);
}

/** Whether a text has at most that many tokens. A token has a byte at least: what is short enough is not counted. */
export function fitsTokens(text: string, maxTokens: number): boolean {
  return Buffer.byteLength(text) <= maxTokens || countTokens(text) <= maxTokens;
}
