import type { ArtifactId, AttachmentInput, EndUserId, TenantId, ThreadId } from '@plinth/protocol';
import type { StoredFile } from '../runs/run.js';

/** What is behind something that was sent along with a message. */
export interface FoundAttachment {
  file: StoredFile;
  /** Of what the thread has already; null for a file that is new to it. */
  artifactId: ArtifactId | null;
}

/** Finds what people send along with their messages: their uploads, artifacts of the thread, pictures by address. */
export interface AttachmentSource {
  /**
   * In the order of the inputs.
   *
   * @param whose the end user, and the thread that the message is for; null: a new one
   * @throws PlinthError attachment_not_found (also what is another end user's, or of another thread),
   *   attachment_not_fetched, attachment_too_large; each names the field
   */
  find(
    tenant: TenantId,
    whose: { endUserId: EndUserId; threadId: ThreadId | null },
    inputs: readonly AttachmentInput[],
  ): Promise<FoundAttachment[]>;
}
