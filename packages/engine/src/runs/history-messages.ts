import type { ImageRef } from '../images/image-ref.js';
import type { Attachment } from './run.js';

/**
 * What was said, as the history keeps it: provider messages in JSON text. Where there are pictures it has two forms that
 * no provider knows, and that whoever makes a request has to put into the provider's words: the part
 * `{"type":"image","image":<ImageRef>}` of a message, and the message `{"role":"images","images":[<ImageRef>...]}`,
 * which follows the results of a turn. The same rows are always the same bytes.
 */

/** A part of a user message. */
export type HistoryPart = { type: 'text'; text: string } | { type: 'image'; image: ImageRef };

const partOf = (attachment: Attachment): HistoryPart => {
  const { artifactId, kind, mimeType, title, sizeBytes, sha256, storageKey, readWith } = attachment;
  if (kind === 'image')
    return { type: 'image', image: { sha256, storageKey, artifactId, title, mimeType, sizeBytes } };
  const reading = readWith === null ? 'Its content is not shown to you.' : `Read it with ${readWith}.`;
  const what = `${kind}, ${mimeType}, ${sizeBytes} bytes`;
  return {
    type: 'text',
    text: `Attached: ${JSON.stringify(title)} (${what}), artifact ${artifactId}. ${reading}`,
  };
};

/** What a person wrote, with what came along. A text alone is a text; an empty one is left out. */
export function userMessage(text: string, attachments: readonly Attachment[]): string {
  if (attachments.length === 0) return JSON.stringify({ role: 'user', content: text });
  const written: HistoryPart[] = text === '' ? [] : [{ type: 'text', text }];
  return JSON.stringify({ role: 'user', content: [...written, ...attachments.map(partOf)] });
}

/**
 * The result of a call. An ended run has one for each of its calls. Should one be missing, an empty one keeps the thread
 * alive: a model refuses a call without a result for ever.
 */
export function resultMessage(providerCallId: string, resultText: string | null): string {
  return JSON.stringify({ role: 'tool', tool_call_id: providerCallId, content: resultText ?? '' });
}

/** The pictures that the results of one turn show, in the order of their calls: one message, or none. */
export function imageMessages(ofCalls: readonly (readonly ImageRef[])[]): string[] {
  const images = ofCalls.flat();
  return images.length === 0 ? [] : [JSON.stringify({ role: 'images', images })];
}
