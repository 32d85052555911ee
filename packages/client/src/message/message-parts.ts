import type { MessagePart } from '@plinth/protocol';
import { insertAt, replaceAt } from './immutable-list.js';

/**
 * The parts of a message stand in one order, whatever order their events came in: by turn, and within a
 * turn reasoning, text, tool calls. So a view that was folded from events equals one built from the ledger.
 */
const RANK = { reasoning: 0, text: 1, tool: 2 } as const;

export type StreamedKind = 'text' | 'reasoning';
type StreamedPart = Extract<MessagePart, { type: StreamedKind }>;

/** A piece of a turn's text and where it starts, in UTF-16 code units. */
export type Delta = { turn: number; from: number; text: string };

const findStreamed = (parts: readonly MessagePart[], kind: StreamedKind, turn: number) =>
  parts.find((part): part is StreamedPart => part.type === kind && part.turn === turn);

/** Whether something between what is there and this piece is missing. */
export function leavesHole(parts: readonly MessagePart[], kind: StreamedKind, delta: Delta): boolean {
  const part = findStreamed(parts, kind, delta.turn);
  return !part?.done && delta.from > (part?.text.length ?? 0);
}

/** Adds what is new in a piece. What overlaps is there already; behind a hole nothing is guessed. */
export function appendDelta(parts: MessagePart[], kind: StreamedKind, delta: Delta): MessagePart[] {
  const part = findStreamed(parts, kind, delta.turn);
  if (part?.done || leavesHole(parts, kind, delta)) return parts;
  const text = part?.text ?? '';
  const added = delta.text.slice(text.length - delta.from);
  if (added === '') return parts;
  return putPart(parts, { type: kind, turn: delta.turn, text: text + added, done: false });
}

/** Sets the whole text of a turn, whatever was streamed of it. A turn without text has no part. */
export function finishText(
  parts: MessagePart[],
  kind: StreamedKind,
  turn: number,
  text: string,
): MessagePart[] {
  if (text !== '') return putPart(parts, { type: kind, turn, text, done: true });
  return findStreamed(parts, kind, turn)
    ? parts.filter((part) => part.type !== kind || part.turn !== turn)
    : parts;
}

/** Takes back what was streamed of a turn. Tool calls are rows of the ledger and stay. */
export function withdrawTurn(parts: MessagePart[], turn: number): MessagePart[] {
  return parts.filter((part) => part.type === 'tool' || part.turn !== turn);
}

/** Marks every text as final: nothing more will come. */
export function finishAll(parts: MessagePart[]): MessagePart[] {
  return parts.map((part) => (part.type === 'tool' || part.done ? part : { ...part, done: true }));
}

/** Shows where a tool call stands. A second mention of the same call changes nothing. */
export function addToolPart(parts: MessagePart[], turn: number, callId: string): MessagePart[] {
  const isThere = parts.some((part) => part.type === 'tool' && part.callId === callId);
  return isThere ? parts : putPart(parts, { type: 'tool', turn, callId });
}

/** Replaces the same part, or inserts it where its turn and kind belong. */
function putPart(parts: MessagePart[], part: MessagePart): MessagePart[] {
  const same = parts.findIndex((other) => keyOf(other) === keyOf(part));
  if (same >= 0) return replaceAt(parts, same, part);
  const after = parts.findIndex((other) => comparePlace(other, part) > 0);
  return insertAt(parts, after < 0 ? parts.length : after, part);
}

const keyOf = (part: MessagePart): string =>
  part.type === 'tool' ? `tool ${part.callId}` : `${part.type} ${part.turn}`;

const comparePlace = (a: MessagePart, b: MessagePart): number =>
  a.turn - b.turn || RANK[a.type] - RANK[b.type];
