import type { Response } from 'undici';

/** The file is larger than what one may be. */
export class FileTooLarge extends Error {
  constructor(readonly maxBytes: number) {
    super(`larger than ${maxBytes} bytes`);
  }
}

/** All bytes of a body. @throws FileTooLarge as soon as there are more than `maxBytes` */
export async function readBytes(response: Response, maxBytes: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let sizeBytes = 0;
  if (response.body === null) return new Uint8Array();
  // Leaving the loop early cancels the stream, and with it the connection.
  for await (const chunk of response.body as AsyncIterable<Uint8Array>) {
    sizeBytes += chunk.length;
    if (sizeBytes > maxBytes) throw new FileTooLarge(maxBytes);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
