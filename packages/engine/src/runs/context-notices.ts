import type { EventBody } from '@plinth/protocol';
import type { ContextCut } from '../context/context-cut.js';
import type { ImageRef } from '../images/image-ref.js';

type Notice = Extract<EventBody, { type: 'notice' }>;

const differs = (a: unknown, b: unknown): boolean => JSON.stringify(a) !== JSON.stringify(b);

const rejectedIn = ({ images }: ContextCut): number =>
  Object.values(images).filter((rung) => rung === 'rejected').length;

/**
 * What the person should know of a request that holds less than what they see.
 *
 * @param unreadable pictures that were new in it and cannot be shown
 */
export function contextNotices(
  before: ContextCut,
  after: ContextCut,
  unreadable: readonly ImageRef[],
): Notice[] {
  const notices: Notice[] = [];
  const tell = (code: string, message: string) => notices.push({ type: 'notice', code, message });
  if (after.from > before.from)
    tell(
      'context_compacted',
      after.summary === null
        ? 'The oldest messages of this conversation are no longer shown to the model.'
        : 'The oldest messages of this conversation are shown to the model as a summary.',
    );
  else if (after.clearedBefore > before.clearedBefore || differs(after.shortened, before.shortened))
    tell('context_compacted', 'Long results of this conversation are shown to the model as short notes.');
  if (rejectedIn(after) > rejectedIn(before))
    tell('image_rejected', 'The model refused an image. It goes on without it.');
  else if (
    after.from === before.from &&
    differs([after.images, after.removed], [before.images, before.removed])
  )
    tell('images_reduced', 'Images of this conversation are shown to the model smaller, or not any more.');
  for (const { title } of unreadable)
    tell(
      'image_unreadable',
      `The image ${JSON.stringify(title)} could not be read and is not shown to the model.`,
    );
  return notices;
}
