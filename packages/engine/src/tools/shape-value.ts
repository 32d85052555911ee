import type { JsonValue, ResultPolicy } from '@plinth/protocol';
import { fitsTokens } from '../context/count-tokens.js';

export interface Shaped {
  /** What the model reads. Where something is left out, a text in its place says how much there is. */
  value: JsonValue;
  cut: boolean;
}

/** How much of each kind of value is shown. */
interface Limits {
  characters: number;
  items: number;
  members: number;
  depth: number;
}

/** Levels after which even one member of each object is too much; a description stands for the value then. */
const LEVELS = 12;
/**
 * Characters for each token beyond which a text is taken to be too long without counting. No prose comes near it, and
 * the counting of what will be cut anyway is most of the time that shaping takes.
 */
const MOST_CHARACTERS_A_TOKEN = 12;
/** Names of members are shown whole up to here. */
const LONGEST_NAME = 200;

/** Level 0 leaves everything but long lists; each further one shows about half as much. */
function limitsOf(level: number, { maxTokens, sampleArraysOver }: ShapeLimits): Limits {
  if (level === 0)
    return { characters: Infinity, items: sampleArraysOver, members: Infinity, depth: Infinity };
  const halves = 2 ** (level - 1);
  return {
    // About four characters are a token in English, one in Chinese.
    characters: Math.max(40, Math.floor((maxTokens * 4) / halves)),
    items: Math.max(1, Math.floor(sampleArraysOver / Math.max(1, halves / 4))),
    members: Math.max(2, Math.floor(256 / halves)),
    depth: Math.max(2, 14 - level),
  };
}

function shortText(text: string, characters: number): string {
  if (text.length <= characters) return text;
  // Not in the middle of a character: half of one is no valid text for the ledger.
  const head = text.slice(0, characters).replace(/[\uD800-\uDBFF]$/, '');
  return `${head}… (${head.length} of ${text.length} characters shown)`;
}

function describe(value: JsonValue): string {
  if (Array.isArray(value)) return `(a list of ${value.length} items, not shown)`;
  if (typeof value === 'object' && value !== null)
    return `(an object with ${Object.keys(value).length} members, not shown)`;
  return `(a text of ${String(value).length} characters, not shown)`;
}

function shorten(value: JsonValue, limits: Limits, depth: number): JsonValue {
  if (typeof value === 'string') return shortText(value, limits.characters);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) {
    if (depth >= limits.depth && value.length > 0) return describe(value);
    const items = value.slice(0, limits.items).map((item) => shorten(item, limits, depth + 1));
    return items.length === value.length
      ? items
      : [...items, `… (${items.length} of ${value.length} items shown)`];
  }
  const members = Object.entries(value);
  if (depth >= limits.depth && members.length > 0) return describe(value);
  const shown = members
    .slice(0, limits.members)
    .map(([name, member]) => [shortText(name, LONGEST_NAME), shorten(member, limits, depth + 1)] as const);
  return Object.fromEntries(
    shown.length === members.length
      ? shown
      : [...shown, ['…', `(${shown.length} of ${members.length} members shown)`] as const],
  );
}

export type ShapeLimits = Pick<ResultPolicy, 'maxTokens' | 'sampleArraysOver'>;

/**
 * Makes of any value one that a model can bear: of long lists the first items with the total named, and when that has
 * still more than `maxTokens`, long texts cut and what is deep or many left out, more of it until it fits. The same
 * value always gives the same bytes.
 */
export function shapeValue(value: JsonValue, policy: ShapeLimits): Shaped {
  const whole = JSON.stringify(value);
  for (let level = 0; level < LEVELS; level += 1) {
    const shown = shorten(value, limitsOf(level, policy), 0);
    const text = JSON.stringify(shown);
    if (text.length > policy.maxTokens * MOST_CHARACTERS_A_TOKEN) continue;
    if (fitsTokens(text, policy.maxTokens)) return { value: shown, cut: text !== whole };
  }
  return { value: describe(value), cut: true };
}
