import type { JsonObject, JsonValue } from '@plinth/protocol';
import { TextMemo } from './text-memo.js';

/**
 * Messages made smaller. Each is made of the stored one alone, whatever stands around it, so that it is the same bytes in
 * every request from the cut on; and none is larger than what it was made of.
 */

const REMEMBERED_CHARACTERS = 8_000_000;
/** Characters of a result without a summary that stay, so that the model knows what it was. */
const EXCERPT = 200;

const TAKEN_OUT = 'This result was read before and was taken out of the conversation to save room.';

interface ToolMessage {
  role: 'tool';
  tool_call_id: string;
  content: string;
}

/** Not in the middle of a character: half of one is no valid text. */
export const headOf = (text: string, characters: number): string =>
  text.slice(0, characters).replace(/[\uD800-\uDBFF]$/, '');
const tailOf = (text: string, characters: number): string =>
  characters === 0 ? '' : text.slice(-characters).replace(/^[\uDC00-\uDFFF]/, '');

function parsedObject(text: string): JsonObject | null {
  if (!text.startsWith('{')) return null;
  try {
    return JSON.parse(text) as JsonObject;
  } catch {
    return null;
  }
}

function cleared(message: string): string {
  const { tool_call_id, content } = JSON.parse(message) as ToolMessage;
  const known = parsedObject(content);
  const kept = known && 'result' in known ? known : { result: content };
  const { result, ...others } = kept;
  const gone = typeof result === 'string' ? result : JSON.stringify(result as JsonValue);
  // `about` names the artifact that holds all of it, and how it is read.
  const about = typeof others.about === 'string' ? others.about : TAKEN_OUT;
  const excerpt = typeof others.summary === 'string' ? '' : `${headOf(gone, EXCERPT)} `;
  const note = { ...others, about, result: `${excerpt}[${gone.length} characters, taken out]` };
  const text = JSON.stringify({ role: 'tool', tool_call_id, content: JSON.stringify(note) });
  return Buffer.byteLength(text) < Buffer.byteLength(message) ? text : message;
}

const clearedResults = new TextMemo(REMEMBERED_CHARACTERS, cleared);

/** A tool message as a short note: what is known of the result, and where all of it is. */
export const clearedResult = (message: string): string => clearedResults.of(message);

/** A text of which the middle is left out. `to`: characters that stay, about. */
export function shortenedText(text: string, to: number): string {
  if (text.length <= to) return text;
  const tail = Math.floor(to / 4);
  const short = `${headOf(text, to - tail)}\n[… ${text.length - to} characters taken out …]\n${tailOf(text, tail)}`;
  return Buffer.byteLength(short) < Buffer.byteLength(text) ? short : text;
}

/** What was said by a person or the model, without the middle of a long text. Arguments of calls stay as they are. */
export function shortenedMessage(message: string, to: number): string {
  if (message.length <= to) return message;
  const parsed = JSON.parse(message) as { content?: unknown };
  if (typeof parsed.content !== 'string' || parsed.content.length <= to) return message;
  return JSON.stringify({ ...parsed, content: shortenedText(parsed.content, to) });
}
