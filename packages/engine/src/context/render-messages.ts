import type { ImageRef } from '../images/image-ref.js';
import type { ContextCut } from './context-cut.js';
import type { Unit } from './conversation-units.js';
import type { Shown, ShownPicture } from './place-pictures.js';
import { clearedResult, headOf, shortenedMessage, shortenedText } from './reduced-texts.js';

/**
 * A message as it is sent: JSON text, and between its pieces the pictures in base64 (there is one piece more than
 * pictures). Messages without pictures stay the text that is stored.
 */
export interface RenderedMessage {
  /** The unit that it is of; null: it stands for none. */
  unit: number | null;
  account: 'history' | 'results' | 'images';
  pieces: string[];
  pictures: ShownPicture[];
  /** What the cut has done to its text. */
  reduced: 'cleared' | 'shortened' | null;
  /** Its text as it is stored. */
  stored: string;
}

/** Characters of a title that a model reads. */
const LONGEST_TITLE = 120;

const named = ({ title, artifactId }: ImageRef): string =>
  `Image ${JSON.stringify(headOf(title, LONGEST_TITLE))} (artifact ${artifactId})`;

function noteOf(shown: Exclude<Shown, ShownPicture>): string {
  const name = named(shown.image);
  switch (shown.as) {
    case 'repeated':
      return `[${name}: the same image as above.]`;
    case 'removed':
      return `[${name} was taken out of the conversation to save room.]`;
    case 'rejected':
      return `[${name} was refused by the endpoint of the model and is not shown.]`;
    case 'unreadable':
      return `[${name} cannot be shown: ${shown.why}]`;
  }
}

const textPart = (text: string) => JSON.stringify({ type: 'text', text });

/** Puts the parts of one user message together, around the bytes of its pictures. */
class Parts {
  private pieces = ['{"role":"user","content":['];
  private readonly pictures: ShownPicture[] = [];
  private isFirst = true;

  text(text: string): void {
    this.write(textPart(text));
  }

  image(shown: Shown): void {
    if (shown.as !== 'picture') {
      this.text(noteOf(shown));
      return;
    }
    this.text(`${named(shown.image)}:`);
    const { picture } = shown;
    if (picture !== null && picture.url !== null) {
      this.write(`{"type":"image_url","image_url":{"url":${JSON.stringify(picture.url)}}}`, shown);
      return;
    }
    const mimeType = picture?.variant.mimeType ?? 'image/jpeg';
    this.write(`{"type":"image_url","image_url":{"url":"data:${mimeType};base64,`, shown);
    this.pieces.push('"}}');
  }

  done(unit: number, account: 'history' | 'images', stored: string): RenderedMessage {
    this.append(']}');
    return { unit, account, pieces: this.pieces, pictures: this.pictures, reduced: null, stored };
  }

  private write(text: string, shown?: ShownPicture): void {
    this.append(this.isFirst ? text : `,${text}`);
    this.isFirst = false;
    if (shown === undefined) return;
    this.pictures.push(shown);
    // One that is fetched by its address has no bytes here: the pieces meet around nothing.
    if (shown.picture?.url != null) this.pieces.push('');
  }

  private append(text: string): void {
    this.pieces.push(`${this.pieces.pop() ?? ''}${text}`);
  }
}

const plain = (
  unit: number | null,
  account: RenderedMessage['account'],
  text: string,
  stored = text,
  reduced: RenderedMessage['reduced'] = null,
): RenderedMessage => ({
  unit,
  account,
  pieces: [text],
  pictures: [],
  reduced: text === stored ? null : reduced,
  stored,
});

function said({ index, message, parts }: Unit, cut: ContextCut, shown: readonly Shown[]): RenderedMessage {
  const to = cut.shortened !== null && index < cut.shortened.before ? cut.shortened.to : null;
  if (parts === null)
    return plain(
      index,
      'history',
      to === null ? message : shortenedMessage(message, to),
      message,
      'shortened',
    );
  const made = new Parts();
  let picture = 0;
  let isShorter = false;
  for (const part of parts) {
    if (part.type === 'text') {
      const text = to === null ? part.text : shortenedText(part.text, to);
      isShorter ||= text !== part.text;
      made.text(text);
      continue;
    }
    const one = shown[picture];
    picture += 1;
    if (one) made.image(one);
  }
  return { ...made.done(index, 'history', message), reduced: isShorter ? 'shortened' : null };
}

function renderUnit(unit: Unit, cut: ContextCut, shown: readonly Shown[]): RenderedMessage[] {
  const { index, results, images, parts } = unit;
  const isCleared = index < cut.clearedBefore;
  const messages = [
    said(unit, cut, shown),
    ...results.map((text) =>
      plain(index, 'results', isCleared ? clearedResult(text) : text, text, 'cleared'),
    ),
  ];
  if (images.length === 0) return messages;
  const made = new Parts();
  made.text('Images of the results above:');
  const ofMessage = parts === null ? 0 : shown.length - images.length;
  for (const one of shown.slice(ofMessage)) made.image(one);
  messages.push(made.done(index, 'images', JSON.stringify({ role: 'images', images })));
  return messages;
}

/**
 * Whatever a person or a page has put into it, it is told as something said, never as an instruction: it stands in the name
 * of the user, and not of the system.
 */
export const summaryMessage = (summary: string): string =>
  JSON.stringify({
    role: 'user',
    content: `Summary of the conversation before this point, whose messages are no longer shown:\n\n${summary}`,
  });

/** The messages between the fixed inputs. */
export function renderMessages(
  units: readonly Unit[],
  cut: ContextCut,
  placed: ReadonlyMap<number, Shown[]>,
): RenderedMessage[] {
  const messages: RenderedMessage[] = [];
  if (cut.summary !== null && cut.from > 0)
    messages.push(plain(null, 'history', summaryMessage(cut.summary)));
  for (const unit of units) {
    if (unit.index < cut.from) continue;
    messages.push(...renderUnit(unit, cut, placed.get(unit.index) ?? []));
  }
  return messages;
}
