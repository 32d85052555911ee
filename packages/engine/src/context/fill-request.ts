import type { ImageVariant } from '../images/image-ref.js';
import type { FixedInputs } from './fixed-inputs.js';
import type { FittingPlan } from './plan-context.js';

/** A body around messages that are complete. */
export function requestText(
  { head, system, announcement, tools, tail }: FixedInputs,
  messages: readonly string[],
): string {
  const all = [system, ...messages, ...(announcement === null ? [] : [announcement])];
  return `${head}${all.join(',')}],${tools}${tail}`;
}

/**
 * The body of a planned request, with the bytes of its pictures in place.
 *
 * @param read the bytes of a picture that stands in the body
 * @throws Error when it does not come to the size that was planned: a picture in the store is not what it was
 */
export async function fillRequest(
  fixed: FixedInputs,
  { draft, bytes }: FittingPlan,
  read: (variant: ImageVariant) => Promise<Uint8Array>,
): Promise<string> {
  const messages = await Promise.all(
    draft.messages.map(({ pieces, pictures }) =>
      pictures.length === 0 ? (pieces[0] ?? '') : filled(pieces, pictures, read),
    ),
  );
  const body = requestText(fixed, messages);
  const size = Buffer.byteLength(body);
  if (size !== bytes) throw new Error(`a request of ${bytes} bytes was planned, and ${size} were made`);
  return body;
}

async function filled(
  pieces: readonly string[],
  pictures: FittingPlan['draft']['pictures'],
  read: (variant: ImageVariant) => Promise<Uint8Array>,
): Promise<string> {
  const shown = await Promise.all(
    pictures.map(async ({ picture, image }) => {
      if (picture === null) throw new Error(`the picture ${image.sha256} was planned without being known`);
      return picture.url === null ? Buffer.from(await read(picture.variant)).toString('base64') : '';
    }),
  );
  return pieces.map((piece, index) => `${piece}${shown[index] ?? ''}`).join('');
}
