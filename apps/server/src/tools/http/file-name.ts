const LONGEST = 100;

/** The name of a downloaded file: as the service calls it (RFC 6266), else as its URL ends, else `otherwise`. */
export function fileNameOf(disposition: string | undefined, url: string, otherwise: string): string {
  const named =
    plain(fromDisposition(disposition ?? '')) ||
    plain(decoded(new URL(url).pathname.split('/').at(-1) ?? ''));
  return named === '' ? otherwise : named;
}

function fromDisposition(header: string): string {
  const extended = /filename\*\s*=\s*utf-8'[^']*'([^;]+)/i.exec(header)?.[1];
  if (extended !== undefined) return decoded(extended.trim());
  const quoted = /filename\s*=\s*"((?:[^"\\]|\\.)*)"/i.exec(header)?.[1];
  return quoted?.replace(/\\(.)/g, '$1') ?? /filename\s*=\s*([^;"\s]+)/i.exec(header)?.[1] ?? '';
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Without folders, and without characters that do not belong into a title. */
function plain(name: string): string {
  const base = name.split(/[/\\]/).at(-1) ?? '';
  const clean = base.replace(/[\p{Cc}\p{Cf}\p{Cs}]/gu, '').trim();
  return [...clean].slice(0, LONGEST).join('');
}
