import type { ArtifactId, EndUserId, ThreadId } from '@plinth/protocol';
import { isReadableText } from '../artifacts/readable-text.js';
import type { Artifact, Attachment } from '../runs/run.js';
import type { FoundAttachment } from './attachment-source.js';

/** What a message keeps of what came along, and the rows of files that its thread did not have. */
export interface NewAttachments {
  attachments: Attachment[];
  artifacts: Artifact[];
}

/**
 * @param reader the agent's tool that reads artifacts; null when it has none. What is noted of it stays: the message is
 *   the same in every request, whatever agent goes on with the thread.
 */
export function newAttachments(
  found: readonly FoundAttachment[],
  reader: string | null,
  of: { threadId: ThreadId; endUserId: EndUserId; now: number; nextArtifactId: () => ArtifactId },
): NewAttachments {
  const { threadId, endUserId, now } = of;
  const made: NewAttachments = { attachments: [], artifacts: [] };
  for (const { file, artifactId } of found) {
    const id = artifactId ?? of.nextArtifactId();
    const readWith = isReadableText(file) ? reader : null;
    made.attachments.push({ artifactId: id, ...file, readWith });
    if (artifactId !== null) continue;
    const place = { id, threadId, endUserId, runId: null, callId: null };
    made.artifacts.push({ ...place, ...file, version: 1, open: 'silent', createdAt: now });
  }
  return made;
}
