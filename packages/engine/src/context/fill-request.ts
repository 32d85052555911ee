import { createHash } from 'node:crypto';
import type { ImageVariant } from '../images/image-ref.js';
import type { Draft } from './draft-request.js';
import type { FixedInputs } from './fixed-inputs.js';
import type { FittingPlan } from './plan-context.js';
import type { RenderedMessage } from './render-messages.js';

/** The bytes of a picture that stands in the body. */
export type ReadPicture = (variant: ImageVariant) => Promise<Uint8Array>;

/** What stands before and behind the messages; each of them follows a comma. */
const frameOf = ({ head, system, announcement, tools, tail }: FixedInputs) => ({
  before: `${head}${system}`,
  behind: `${announcement === null ? '' : `,${announcement}`}],${tools}${tail}`,
});

/** A body around messages that are complete. */
export function requestText(fixed: FixedInputs, messages: readonly string[]): string {
  const { before, behind } = frameOf(fixed);
  return [before, ...messages].join(',') + behind;
}

/**
 * The body of a planned request, with the bytes of its pictures in place.
 *
 * @throws Error when it does not come to the size that was planned: a picture in the store is not what it was
 */
export async function fillRequest(
  fixed: FixedInputs,
  { draft, bytes }: FittingPlan,
  read: ReadPicture,
): Promise<string> {
  const messages = await Promise.all(draft.messages.map((message) => filled(message, read)));
  const body = requestText(fixed, messages);
  const size = Buffer.byteLength(body);
  if (size !== bytes) throw new Error(`a request of ${bytes} bytes was planned, and ${size} were made`);
  return body;
}

/** SHA-256 of the body that `fillRequest` makes. One message is in memory at a time: a body may have 50 MB. */
export async function digestRequest(
  fixed: FixedInputs,
  { messages }: Pick<Draft, 'messages'>,
  read: ReadPicture,
): Promise<string> {
  const { before, behind } = frameOf(fixed);
  const hash = createHash('sha256').update(before);
  for (const message of messages) hash.update(',').update(await filled(message, read));
  return hash.update(behind).digest('hex');
}

async function filled({ pieces, pictures }: RenderedMessage, read: ReadPicture): Promise<string> {
  if (pictures.length === 0) return pieces[0] ?? '';
  const shown = await Promise.all(
    pictures.map(async ({ picture, image }) => {
      if (picture === null) throw new Error(`the picture ${image.sha256} was planned without being known`);
      return picture.url === null ? Buffer.from(await read(picture.variant)).toString('base64') : '';
    }),
  );
  return pieces.map((piece, index) => `${piece}${shown[index] ?? ''}`).join('');
}
