import { type FieldError, type SkillDefinition, skillDefinition } from '@plinth/protocol';
import { fieldErrorsOf } from './field-errors.js';

const FORM = /^---\r?\n([\s\S]*?)\r?\n---\r?\n([\s\S]*)$/;

/**
 * A skill as a file `<key>.md`: front matter with its one-line description, then the Markdown.
 *
 *     ---
 *     description: How our posters are worded
 *     ---
 *     Write short headlines. …
 */
export function readSkillFile(
  key: string,
  text: string,
): { ok: true; value: SkillDefinition } | { ok: false; fields: FieldError[] } {
  const [, head = '', content = ''] = FORM.exec(text) ?? [];
  const fields = new Map(
    head.split(/\r?\n/).flatMap((line) => {
      const [, name, value = ''] = /^([a-z]+):\s*(.*)$/.exec(line) ?? [];
      return name === undefined ? [] : [[name, value.replace(/^(["'])(.*)\1$/, '$2')] as const];
    }),
  );
  const description = fields.get('description');
  if (description === undefined)
    return refusal('must begin with a line ---, a line "description: …", and a line ---');
  const unknown = [...fields.keys()].find((name) => name !== 'description' && name !== 'name');
  if (unknown !== undefined) return refusal(`"${unknown}" is not understood before the second ---`);
  const name = fields.get('name');
  if (name !== undefined && name !== key)
    return refusal(`is named "${name}": that must be the name of the file`);
  const parsed = skillDefinition.safeParse({ key, description, content });
  return parsed.success
    ? { ok: true, value: parsed.data }
    : { ok: false, fields: fieldErrorsOf(parsed.error) };
}

function refusal(message: string): { ok: false; fields: FieldError[] } {
  return { ok: false, fields: [{ path: '', message }] };
}
