/** Characters of a title: what fits a list beside a chat. */
const LONGEST = 60;

/** What a thread is called until somebody names it: the beginning of its first message, cut at a character's end. */
export function threadTitle(text: string): string {
  const line = text.trim().split(/\s*[\r\n]+\s*/, 1)[0] ?? '';
  const characters = [...line];
  return characters.length <= LONGEST
    ? line
    : `${characters
        .slice(0, LONGEST - 1)
        .join('')
        .trimEnd()}…`;
}
