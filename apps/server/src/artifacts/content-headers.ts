/** What of an artifact decides how its bytes are served. */
export interface ServedArtifact {
  title: string;
  mimeType: string;
  sizeBytes: number;
  sha256: string;
}

/** Types that a browser shows without running anything. Everything else is a download. */
const SHOWN = new Set([
  'image/png',
  'image/jpeg',
  'image/gif',
  'image/webp',
  'image/avif',
  'image/apng',
  'image/bmp',
  'image/x-icon',
  'audio/mpeg',
  'audio/mp4',
  'audio/x-m4a',
  'audio/aac',
  'audio/wav',
  'audio/ogg',
  'audio/opus',
  'audio/flac',
  'audio/x-flac',
  'audio/webm',
  'video/mp4',
  'video/webm',
  'video/ogg',
  'application/pdf',
  'application/json',
  'text/plain',
  'text/markdown',
  'text/csv',
  'text/tab-separated-values',
]);
/** Types that can hold scripts: shown only in a sandbox, where they have no origin and run nothing. */
const SANDBOXED = new Set(['text/html', 'image/svg+xml']);
const SANDBOX =
  "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:; font-src data:; media-src data:";
const CACHE_SECONDS = 3600;

/**
 * The headers under which bytes that somebody else made may be served from our origin: the type is the
 * detected one and browsers must not guess, nothing can run, and the name survives in every language.
 */
export function contentHeaders(
  artifact: ServedArtifact,
  options: { download?: boolean } = {},
): Record<string, string> {
  const type = servedType(artifact.mimeType);
  const inline = options.download !== true && (SHOWN.has(type) || SANDBOXED.has(type));
  return {
    'content-type': isText(type) ? `${type}; charset=utf-8` : type,
    'content-length': String(artifact.sizeBytes),
    'content-disposition': contentDisposition(inline ? 'inline' : 'attachment', artifact.title),
    'x-content-type-options': 'nosniff',
    'accept-ranges': 'bytes',
    'cache-control': `private, max-age=${CACHE_SECONDS}, immutable`,
    etag: `"${artifact.sha256}"`,
    ...(SANDBOXED.has(type) ? { 'content-security-policy': SANDBOX } : {}),
  };
}

/** Source code goes out as plain text, so that no page can load it as a script or style of our origin. */
function servedType(mimeType: string): string {
  return mimeType.startsWith('text/') && !SHOWN.has(mimeType) && !SANDBOXED.has(mimeType)
    ? 'text/plain'
    : mimeType;
}

function isText(type: string): boolean {
  return type.startsWith('text/') || type === 'application/json' || type === 'image/svg+xml';
}

/** RFC 6266: a plain name for old clients, and the real one as RFC 5987 writes it. */
function contentDisposition(how: 'inline' | 'attachment', title: string): string {
  const name = safeName(title);
  const ascii = name.replace(/[^\x20-\x7e]/g, '_').replace(/["\\%]/g, '_');
  return `${how}; filename="${ascii}"; filename*=UTF-8''${encodeExtended(name)}`;
}

/** Without what could leave a folder, end a header, or turn the reading direction to hide an extension. */
function safeName(title: string): string {
  const name = title
    .replace(/[\ud800-\udfff]/gu, '_')
    .replace(/[\u0000-\u001f\u007f-\u009f/\\\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, '_')
    .trim();
  return name === '' ? 'artifact' : name;
}

function encodeExtended(text: string): string {
  return encodeURIComponent(text).replace(
    /['()*]/g,
    (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
