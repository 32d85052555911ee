import type { ContextCut } from './context-cut.js';
import type { Unit } from './conversation-units.js';
import type { EndpointProfile } from './endpoint-profile.js';
import type { FixedInputs } from './fixed-inputs.js';
import type { KnownPictures } from './known-pictures.js';
import { messageTokens, textTokens } from './message-tokens.js';
import { placePictures, type Shown, type ShownPicture } from './place-pictures.js';
import { type RenderedMessage, renderMessages } from './render-messages.js';

/** What a request would be with a cut, and what it would weigh. */
export interface Draft {
  cut: ContextCut;
  messages: RenderedMessage[];
  shown: Shown[];
  /** Those that are sent. */
  pictures: ShownPicture[];
  /** All but the bytes of pictures. */
  textBytes: number;
  /** Of the pictures, as they stand in the body. */
  pictureBytes: number;
  pictureTokens: number;
  /** Of all but the pictures; counted when first asked for. */
  readonly textTokens: number;
  readonly isCounted: boolean;
}

/** What drafts are made of. */
export interface DraftParts {
  fixed: FixedInputs;
  units: readonly Unit[];
  known: KnownPictures;
  profile: EndpointProfile;
}

/** Characters that so many bytes are in base64. */
export const base64Length = (bytes: number): number => 4 * Math.ceil(bytes / 3);

/** Bytes of a picture in the body: none of one that is fetched by its address, which stands in the text. */
export const bytesInBody = ({ size, picture }: ShownPicture): number =>
  picture?.url == null ? base64Length(size.sizeBytes) : 0;

/** Bytes of everything around the messages, with the commas between them. */
export function fixedBytes({
  head,
  system,
  announcement,
  tools,
  tail,
}: FixedInputs): Record<'instructions' | 'tools' | 'other', number> {
  const announced = announcement === null ? 0 : Buffer.byteLength(announcement) + 1;
  return {
    instructions: Buffer.byteLength(system),
    tools: Buffer.byteLength(tools),
    other: Buffer.byteLength(head) + announced + '],'.length + Buffer.byteLength(tail),
  };
}

export const fixedTokens = ({ system, announcement, tools }: FixedInputs) => ({
  instructions: messageTokens(system),
  tools: tools === '' ? 0 : textTokens(tools),
  other: announcement === null ? 0 : messageTokens(announcement),
});

const sum = (numbers: Iterable<number>): number => {
  let total = 0;
  for (const number of numbers) total += number;
  return total;
};

/** Bytes of a message's text, without its pictures. */
export const bytesOf = ({ pieces }: RenderedMessage): number =>
  sum(pieces.map((piece) => Buffer.byteLength(piece)));

export const tokensOf = ({ pieces }: RenderedMessage): number =>
  messageTokens(pieces.length === 1 ? (pieces[0] ?? '') : pieces.join(''));

export function draftRequest({ fixed, units, known, profile }: DraftParts, cut: ContextCut): Draft {
  const placed = placePictures(units, cut, known, profile);
  const messages = renderMessages(units, cut, placed);
  const pictures = messages.flatMap((message) => message.pictures);
  let counted: number | null = null;
  return {
    cut,
    messages,
    shown: [...placed.values()].flat(),
    pictures,
    textBytes: sum(Object.values(fixedBytes(fixed))) + sum(messages.map((message) => bytesOf(message) + 1)),
    pictureBytes: sum(pictures.map(bytesInBody)),
    pictureTokens: sum(pictures.map(({ size }) => profile.imageTokens(size.width, size.height))),
    get textTokens() {
      counted ??= sum(Object.values(fixedTokens(fixed))) + sum(messages.map(tokensOf));
      return counted;
    },
    get isCounted() {
      return counted !== null;
    },
  };
}
