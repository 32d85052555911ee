import type { ContentPart, UserMessage } from '@ag-ui/core';
import type { ArtifactKind, AttachmentView } from '@plinth/protocol';

/** Where a browser reads the bytes of an artifact without a header. */
export type UrlOf = (artifactId: string) => string;

const PART_OF: Partial<Record<ArtifactKind, 'image' | 'audio' | 'video'>> = {
  image: 'image',
  audio: 'audio',
  video: 'video',
};

/**
 * What a person has said and brought, as AG-UI has it. The bytes are named and not sent: clients give their history back with
 * every request.
 *
 * @param ids of the parts that are no text, as the client has named them
 */
export function userContent(
  text: string,
  attachments: readonly AttachmentView[],
  urlOf: UrlOf,
  ids: readonly (string | undefined)[] = [],
): UserMessage['content'] {
  if (attachments.length === 0) return text;
  const media = attachments.map(({ artifactId, kind, mimeType, title }, index): ContentPart => {
    const id = ids.length === attachments.length ? ids[index] : undefined;
    return {
      ...(id === undefined ? {} : { id }),
      type: PART_OF[kind] ?? 'document',
      source: { type: 'url', value: urlOf(artifactId), mimeType },
      metadata: { filename: title, plinth: { artifactId } },
    };
  });
  return text === '' ? media : [{ type: 'text', text }, ...media];
}
