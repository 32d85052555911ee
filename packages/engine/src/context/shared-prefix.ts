import { bytesInBody, bytesOf, type Draft } from './draft-request.js';
import type { FixedInputs } from './fixed-inputs.js';
import type { RenderedMessage } from './render-messages.js';

const sameMessage = (a: RenderedMessage, b: RenderedMessage): boolean =>
  a.pieces.length === b.pieces.length &&
  a.pieces.every((piece, index) => piece === b.pieces[index]) &&
  a.pictures.every(({ picture }, index) => {
    const other = b.pictures[index]?.picture;
    return picture !== null && other?.variant.storageKey === picture.variant.storageKey;
  });

/** Bytes with which both requests begin, counted in whole messages: what a provider can have cached. */
export function sharedPrefixBytes(
  { head, system }: FixedInputs,
  before: readonly RenderedMessage[],
  { messages }: Pick<Draft, 'messages'>,
): number {
  let bytes = Buffer.byteLength(head) + Buffer.byteLength(system);
  for (const [index, message] of messages.entries()) {
    const old = before[index];
    if (old === undefined || !sameMessage(old, message)) break;
    bytes += 1 + bytesOf(message) + message.pictures.reduce((sum, one) => sum + bytesInBody(one), 0);
  }
  return bytes;
}
