import type { ImageRef } from '../images/image-ref.js';

/**
 * The way from the root of a thread to here, in units: what stands or falls together. What a person says is one; so is an
 * answer of the model with all the results of its calls and the pictures of these results. A unit is never split: an endpoint
 * refuses a call without its result, and a result without its call.
 */
export interface Unit {
  /** From 0, on the way from the root. */
  index: number;
  kind: 'user' | 'assistant';
  /** What was said, as JSON text. */
  message: string;
  /** Tool messages, as JSON text. */
  results: string[];
  /** What the message itself shows: its parts, when it has pictures. */
  parts: readonly UserPart[] | null;
  /** Pictures of the results. */
  images: readonly ImageRef[];
}

export type UserPart = { type: 'text'; text: string } | { type: 'image'; image: ImageRef };

type Role = 'user' | 'assistant' | 'tool' | 'images';

/** Texts that the platform writes begin with their role. Only an odd one has to be parsed. */
const BEGINNINGS: readonly [string, Role][] = [
  ['{"role":"tool"', 'tool'],
  ['{"role":"assistant"', 'assistant'],
  ['{"role":"user"', 'user'],
  ['{"role":"images"', 'images'],
];
const WITH_PARTS = '{"role":"user","content":[';

function roleOf(text: string): Role {
  const known = BEGINNINGS.find(([beginning]) => text.startsWith(beginning));
  if (known) return known[1];
  const { role } = JSON.parse(text) as { role: string };
  if (role === 'tool' || role === 'user' || role === 'images') return role;
  return 'assistant';
}

const partsOf = (text: string): UserPart[] | null =>
  text.startsWith(WITH_PARTS) ? (JSON.parse(text) as { content: UserPart[] }).content : null;

/**
 * @param messages provider messages as JSON text, oldest first, with pictures by reference
 * @throws Error when a result stands before every answer (a bug)
 */
export function unitsOf(messages: readonly string[]): Unit[] {
  const units: Unit[] = [];
  for (const message of messages) {
    const role = roleOf(message);
    if (role === 'user' || role === 'assistant') {
      const parts = role === 'user' ? partsOf(message) : null;
      units.push({ index: units.length, kind: role, message, results: [], parts, images: [] });
      continue;
    }
    const unit = units.at(-1);
    if (unit?.kind !== 'assistant') throw new Error(`a message of ${role} belongs to no answer`);
    if (role === 'tool') unit.results.push(message);
    else unit.images = [...unit.images, ...(JSON.parse(message) as { images: ImageRef[] }).images];
  }
  return units;
}

/** Pictures that a unit names, in the order in which they would be seen. */
export function picturesOf({ parts, images }: Unit): ImageRef[] {
  if (parts === null) return [...images];
  return [...parts.flatMap((part) => (part.type === 'image' ? [part.image] : [])), ...images];
}

/** The unit of what the person said last: it and all after it is the traffic of the current run. */
export function currentRunFrom(units: readonly Unit[]): number {
  return Math.max(
    0,
    units.findLastIndex(({ kind }) => kind === 'user'),
  );
}
