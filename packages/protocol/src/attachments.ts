import { z } from 'zod';
import { artifactKind } from './artifacts.js';

/** A file that a person has given and that is not yet part of a conversation. */
export const uploadView = z.object({
  id: z.string(),
  kind: artifactKind.describe('Detected from the bytes.'),
  mimeType: z.string(),
  title: z.string(),
  sizeBytes: z.number().int().nonnegative(),
  sha256: z.string(),
  createdAt: z.iso.datetime(),
});
export type UploadView = z.infer<typeof uploadView>;

const idText = z.string().regex(/^[\x21-\x7e]{1,100}$/, 'must be an id');

/** What goes with a message: an upload, an artifact of the thread, or an address that is fetched once. */
export const attachmentInput = z.union([
  z.strictObject({ uploadId: idText }),
  z.strictObject({ artifactId: idText }),
  z.strictObject({ url: z.url({ protocol: /^https?$/ }).max(2_000) }),
]);
export type AttachmentInput = z.infer<typeof attachmentInput>;

/** What a message brought with it. Its bytes are read as those of the artifact. */
export const attachmentView = z.object({
  artifactId: z.string(),
  kind: artifactKind,
  mimeType: z.string(),
  title: z.string(),
  sizeBytes: z.number().int().nonnegative(),
});
export type AttachmentView = z.infer<typeof attachmentView>;
