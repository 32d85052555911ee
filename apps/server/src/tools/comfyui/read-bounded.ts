import type { Response } from 'undici';

/** The text of a body, at most `maxBytes` of it. The rest is not waited for. */
export async function readBounded(response: Response, maxBytes: number): Promise<string> {
  if (response.body === null) return '';
  const chunks: Uint8Array[] = [];
  let sizeBytes = 0;
  // Leaving the loop early cancels the stream, and with it the connection.
  for await (const chunk of response.body as AsyncIterable<Uint8Array>) {
    chunks.push(chunk.subarray(0, maxBytes - sizeBytes));
    sizeBytes += chunk.length;
    if (sizeBytes >= maxBytes) break;
  }
  return Buffer.concat(chunks).toString('utf8');
}
