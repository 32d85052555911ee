import type { ChatMessage, ImagePart } from '../api/chat-request.js';

/** Where an image stands in a request. */
export type PlacedImagePart = { messageIndex: number; partIndex: number; part: ImagePart };

/** All images of a request, in the order in which the model sees them. */
export function imagePartsOf(messages: readonly ChatMessage[]): PlacedImagePart[] {
  return messages.flatMap(({ content }, messageIndex) => {
    if (!Array.isArray(content)) return [];
    return content.flatMap((part, partIndex) =>
      part.type === 'image_url' ? [{ messageIndex, partIndex, part }] : [],
    );
  });
}
