import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

export type RequestBody = { text: string; digest: string; sizeBytes: number; tooLarge: boolean };

/**
 * Reads a request body. One over the limit is still read to its end, but not kept: a client that is cut off
 * while it writes sees a broken connection instead of the 413.
 */
export async function readBody(request: IncomingMessage, limitBytes: number): Promise<RequestBody> {
  const hash = createHash('sha256');
  const chunks: Buffer[] = [];
  let sizeBytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    hash.update(chunk);
    sizeBytes += chunk.length;
    if (sizeBytes <= limitBytes) chunks.push(chunk);
    else chunks.length = 0;
  }
  return {
    text: Buffer.concat(chunks).toString('utf8'),
    digest: hash.digest('hex'),
    sizeBytes,
    tooLarge: sizeBytes > limitBytes,
  };
}
