export type DataUrl = { declaredType: string; base64: string };

const HEAD = /^data:([^;,]*)(?:;[^,]*)?;base64,/;

/** The parts of a base64 data URL; undefined for another text. Linear in its length: an image may have megabytes. */
export function readDataUrl(url: string): DataUrl | undefined {
  const match = HEAD.exec(url.slice(0, 256));
  if (!match) return undefined;
  return { declaredType: (match[1] ?? '').toLowerCase(), base64: url.slice(match[0].length) };
}
