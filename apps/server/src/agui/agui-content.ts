import type { ContentPart, PartSource, UserMessage } from '@ag-ui/core';
import { type AttachmentInput, attachmentInput } from '@plinth/protocol';
import { type Placed, refuse } from './agui-input.js';

/** Text of a user message and what goes with it, as `startRunRequest` bounds them. */
const MAX_TEXT = 100_000;
const MOST_ATTACHMENTS = 10;
const MOST_TITLE = 200;

type MediaPart = Exclude<ContentPart, { type: 'text' }>;

/** Something that goes with the message, by where it comes from. */
export type Media = { title: string; path: string } & (
  | { bytes: Buffer; contentType: string }
  | { input: AttachmentInput }
);

/** What new user messages say and bring: several that came together are one message of the thread. */
export interface NewContent {
  text: string;
  media: Media[];
}

/** @throws PlinthError invalid_request for parts that cannot be taken, for nothing at all, and for too much */
export function contentOf(news: readonly Placed<UserMessage>[]): NewContent {
  const texts: string[] = [];
  const media: Media[] = [];
  for (const { message, index } of news) {
    const path = `messages.${index}.content`;
    const parts = typeof message.content === 'string' ? [textPart(message.content)] : message.content;
    texts.push(parts.map((part) => (part.type === 'text' ? part.text : '')).join(''));
    for (const [place, part] of parts.entries())
      if (part.type !== 'text') media.push(mediaOf(part, `${path}.${place}`));
  }
  const text = texts
    .filter((one) => one !== '')
    .join('\n\n')
    .trim();
  const path = `messages.${news.at(-1)?.index ?? 0}.content`;
  if (text === '' && media.length === 0) refuse(path, 'write something, or attach something');
  if (text.length > MAX_TEXT) refuse(path, `must have at most ${MAX_TEXT} characters`);
  if (media.length > MOST_ATTACHMENTS)
    refuse(path, `must have at most ${MOST_ATTACHMENTS} parts that are no text`);
  return { text, media };
}

const textPart = (text: string): ContentPart => ({ type: 'text', text });

function mediaOf(part: MediaPart, path: string): Media {
  const title = titleOf(part);
  const place = `${path}.source.value`;
  const { source } = part;
  const bytes = bytesOf(source, place);
  if (bytes !== null) return { title, path: place, ...bytes };
  if (source.type === 'file') {
    if (source.provider !== undefined && source.provider !== 'plinth')
      refuse(`${path}.source.provider`, 'is the file of a provider; upload it here and name that');
    return { title, path: place, input: known({ uploadId: source.value }, place) };
  }
  if (part.type !== 'image') refuse(place, 'is not fetched: only pictures are. Send the bytes');
  return { title, path: place, input: known({ url: source.value }, place) };
}

/** @param input with the one field that names it */
function known(input: { uploadId: string } | { url: string }, path: string): AttachmentInput {
  const parsed = attachmentInput.safeParse(input);
  if (parsed.success) return parsed.data;
  const what = 'url' in input ? 'an address that begins with http or https' : 'the id of an upload';
  return refuse(path, `must be ${what}`);
}

const DATA_URL = /^data:([^;,]*)(;[^,]*)?,/;
const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;

/** The bytes that came with the request; null for what is only named there. */
function bytesOf(source: PartSource, path: string): { bytes: Buffer; contentType: string } | null {
  if (source.type === 'data') return { bytes: decoded(source.value, path), contentType: source.mimeType };
  const [head, contentType = '', encoding = ''] =
    source.type === 'url' ? (DATA_URL.exec(source.value) ?? []) : [];
  if (head === undefined) return null;
  if (!encoding.endsWith(';base64')) refuse(path, 'must be base64');
  return { bytes: decoded(source.value.slice(head.length), path), contentType };
}

function decoded(base64: string, path: string): Buffer {
  if (!BASE64.test(base64)) refuse(path, 'must be base64, and not empty');
  return Buffer.from(base64, 'base64');
}

/** What the client calls the file. AG-UI has no field for it; its clients put it here. */
function titleOf({ type, metadata }: MediaPart): string {
  const { filename } = (metadata ?? {}) as { filename?: unknown };
  const title = typeof filename === 'string' ? filename.trim().slice(0, MOST_TITLE) : '';
  return title === '' ? type : title;
}
