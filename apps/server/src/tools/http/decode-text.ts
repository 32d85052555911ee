/** How far into an HTML page its charset must be named (HTML standard, 4.2.5.5). */
const SNIFFED_BYTES = 1024;

/** The text of a body, in the charset that its content type names, else that its HTML names, else UTF-8. */
export function decodeText(body: Uint8Array, contentType: string): string {
  const charset = charsetIn(contentType) ?? (contentType.includes('html') ? charsetOfPage(body) : undefined);
  try {
    return new TextDecoder(charset ?? 'utf-8').decode(body);
  } catch {
    // RangeError: no such charset.
    return new TextDecoder('utf-8').decode(body);
  }
}

const charsetIn = (text: string) => /charset\s*=\s*["']?([^"';\s/>]+)/i.exec(text)?.[1];

function charsetOfPage(body: Uint8Array): string | undefined {
  const start = Buffer.from(body.subarray(0, SNIFFED_BYTES)).toString('latin1');
  return charsetIn(/<meta\b[^>]*charset[^>]*>/i.exec(start)?.[0] ?? '');
}
