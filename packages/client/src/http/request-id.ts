/**
 * An id that nobody else makes: 128 random bits. Not `crypto.randomUUID`, which browsers offer on secure
 * origins only, and a test installation in an intranet is often plain http.
 */
export function createRequestId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
