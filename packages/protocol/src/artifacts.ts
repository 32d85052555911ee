import { z } from 'zod';

export const artifactKind = z.enum([
  'image',
  'code',
  'document',
  'table',
  'audio',
  'video',
  'pdf',
  'html',
  'file',
]);
export type ArtifactKind = z.infer<typeof artifactKind>;

/** Whether a new artifact opens in the workspace by itself, is only announced, or is only listed. */
export const openPolicy = z.enum(['auto', 'notify', 'silent']);
export type OpenPolicy = z.infer<typeof openPolicy>;

/** A product that lives outside the chat stream. Its bytes are read from `/v1/artifacts/{id}/content`. */
export const artifactView = z.object({
  id: z.string(),
  threadId: z.string(),
  runId: z.string().nullable(),
  callId: z.string().nullable(),
  kind: artifactKind.describe('Detected from the bytes.'),
  mimeType: z.string(),
  title: z.string(),
  version: z.number().int().positive(),
  sizeBytes: z.number().int().nonnegative(),
  sha256: z.string(),
  open: openPolicy,
  createdAt: z.iso.datetime(),
});
export type ArtifactView = z.infer<typeof artifactView>;

/** Who made a version: a model through one of its calls, the person, or a back end. */
export const artifactAuthor = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('model'), runId: z.string().nullable(), callId: z.string().nullable() }),
  z.object({ kind: z.literal('end_user'), id: z.string() }),
  z.object({ kind: z.literal('api_key'), id: z.string() }),
]);
export type ArtifactAuthor = z.infer<typeof artifactAuthor>;

/** One version of an artifact. It never changes; a change makes the next one. */
export const artifactVersionView = z.object({
  artifactId: z.string(),
  version: z.number().int().positive(),
  kind: artifactKind,
  mimeType: z.string(),
  title: z.string(),
  sizeBytes: z.number().int().nonnegative(),
  sha256: z.string(),
  author: artifactAuthor,
  createdAt: z.iso.datetime(),
});
export type ArtifactVersionView = z.infer<typeof artifactVersionView>;
