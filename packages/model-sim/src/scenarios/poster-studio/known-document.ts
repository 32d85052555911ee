import { isJsonObject } from '../../api/chat-request.js';
import type { CallRecord } from '../../conversation/conversation.js';
import { parseJson } from '../../conversation/conversation.js';
import { outcomeOf } from './tool-outcome.js';
import { resultOf } from './tool-result.js';

/** The document as the model knows it: from what it wrote, edited and read, and from nothing else. */
export type KnownDocument = { id: string; version: number; text: string };

/** Follows the calls of a conversation. Undefined when no document was written in it. */
export function knownDocumentIn(calls: readonly CallRecord[]): KnownDocument | undefined {
  let known: KnownDocument | undefined;
  for (const call of calls) {
    if (outcomeOf(call.result) !== 'ok') continue;
    if (call.name === 'write_document') known = written(call) ?? known;
    else if (known !== undefined && resultOf(call).id === known.id) known = later(known, call);
  }
  return known;
}

function written({ arguments: { content }, result }: CallRecord): KnownDocument | undefined {
  const parsed = parseJson(result);
  const [made] = isJsonObject(parsed) && Array.isArray(parsed.artifacts) ? parsed.artifacts : [];
  if (!isJsonObject(made) || typeof made.id !== 'string' || typeof content !== 'string') return undefined;
  return { id: made.id, version: 1, text: content };
}

function later(known: KnownDocument, call: CallRecord): KnownDocument {
  const { version, text } = resultOf(call);
  if (typeof version !== 'number') return known;
  if (call.name === 'get_artifact') return typeof text === 'string' ? { ...known, version, text } : known;
  if (call.name !== 'edit_document' || !Array.isArray(call.arguments.edits)) return known;
  const edited = call.arguments.edits
    .filter(isJsonObject)
    .reduce((before, { find, replace }) => before.replace(String(find), () => String(replace)), known.text);
  return { ...known, version, text: edited };
}
