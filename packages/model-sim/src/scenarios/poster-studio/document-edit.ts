import type { BriefSection } from './document-phrases.js';

export type DocumentEdit = { find: string; replace: string };

const QUOTED = /["“「]([^"”」]+)["”」]/;
const LIST_ITEM = /^[-*] /;

/** The part of the brief that a message names; undefined when it names none. */
export function namedSection(message: string, sections: readonly BriefSection[]): BriefSection | undefined {
  return sections.find(({ named }) => named.test(message.replace(QUOTED, '')));
}

/**
 * What a message asks for, as an edit of the text that is there now: a list gets the quoted words as its last item, any other
 * part becomes them; without quoted words it becomes its own first clause. Undefined when the part is not in the text.
 */
export function documentEdit(
  text: string,
  { heading }: BriefSection,
  message: string,
): DocumentEdit | undefined {
  const head = `## ${heading}\n\n`;
  const from = text.indexOf(head);
  if (from < 0) return undefined;
  const end = text.indexOf('\n## ', from + head.length);
  const body = text.slice(from + head.length, end < 0 ? undefined : end).trimEnd();
  const quoted = QUOTED.exec(message)?.[1];
  const isList = body.split('\n').every((line) => LIST_ITEM.test(line));
  if (isList && quoted === undefined) return undefined;
  const replace = isList ? `${body}\n- ${quoted}` : (quoted ?? firstClause(body));
  return replace === body ? undefined : { find: `${head}${body}`, replace: `${head}${replace}` };
}

function firstClause(body: string): string {
  const [clause = body] = body.split(/[,，。]|\. /);
  const end = /\p{Script=Han}$/u.test(clause) ? '。' : '.';
  return /[.。!！]$/.test(clause) ? clause : `${clause}${end}`;
}
