/** Bytes that an address gave, or why it gave none. */
export type FetchedImage = { bytes: Buffer; declaredType: string } | { failed: 'timeout' | 'error' };

const TIMEOUT_MS = 10_000;
/** The largest image that any persona takes. */
const MAX_BYTES = 64 * 1024 * 1024;

/** Fetches an image as a provider does: without credentials, and within bounds. Never throws. */
export async function fetchImage(url: string): Promise<FetchedImage> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(TIMEOUT_MS) });
    if (!response.ok || !response.body) return { failed: 'error' };
    const chunks: Uint8Array[] = [];
    let sizeBytes = 0;
    for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
      sizeBytes += chunk.length;
      if (sizeBytes > MAX_BYTES) return { failed: 'error' };
      chunks.push(chunk);
    }
    const declaredType = (response.headers.get('content-type') ?? '').split(';')[0]?.trim() ?? '';
    return { bytes: Buffer.concat(chunks), declaredType };
  } catch (error) {
    return { failed: (error as Error).name === 'TimeoutError' ? 'timeout' : 'error' };
  }
}
