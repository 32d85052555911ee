import type {
  ArtifactKind,
  ArtifactView,
  AttachmentInput,
  AttachmentView,
  UploadView,
} from '@plinth/protocol';

/** What is sent with a message: an upload, an artifact of the thread, or an address that the platform fetches once. */
export type SendAttachment =
  | { upload: UploadView }
  | { artifact: Pick<ArtifactView, 'id' | 'kind' | 'mimeType' | 'title' | 'sizeBytes'> }
  | { url: string };

/** What came with a message, as a chat shows it. What is null is not known before the platform has taken it in. */
export type ChatAttachment = {
  readonly artifactId: string | null;
  readonly kind: ArtifactKind | null;
  readonly mimeType: string | null;
  readonly title: string;
  readonly sizeBytes: number | null;
};

export function toInput(attachment: SendAttachment): AttachmentInput {
  if ('upload' in attachment) return { uploadId: attachment.upload.id };
  if ('artifact' in attachment) return { artifactId: attachment.artifact.id };
  return { url: attachment.url };
}

/** What is shown of it until the platform says more. */
export function toChatAttachment(attachment: SendAttachment): ChatAttachment {
  if ('url' in attachment)
    return { artifactId: null, kind: null, mimeType: null, title: attachment.url, sizeBytes: null };
  const known = 'upload' in attachment ? attachment.upload : attachment.artifact;
  const artifactId = 'artifact' in attachment ? attachment.artifact.id : null;
  const { kind, mimeType, title, sizeBytes } = known;
  return { artifactId, kind, mimeType, title, sizeBytes };
}

const NONE: readonly ChatAttachment[] = [];

/** What came with a message: also while it is being sent, or could not be. */
export function selectAttachments({
  attachments = [],
  pendingAttachments = NONE,
}: {
  readonly attachments?: readonly AttachmentView[];
  readonly pendingAttachments?: readonly ChatAttachment[];
}): readonly ChatAttachment[] {
  return attachments.length > 0 ? attachments : pendingAttachments;
}
