import type { HttpExecutorSpec, JsonValue } from '@plinth/protocol';
import { type Placeholder, parseTemplate, type Template } from './template.js';

/** A text of the definition that may hold placeholders, with the field it stands in. */
export interface TemplateField {
  field: string;
  text: string;
}

/** Every text of an `http` executor that is a template. */
export function templateFields({ url, headers, query, body }: HttpExecutorSpec): TemplateField[] {
  return [
    { field: 'executor.url', text: url },
    ...textsIn('executor.headers', headers),
    ...textsIn('executor.query', query),
    ...textsIn('executor.body', body ?? null),
  ];
}

function textsIn(field: string, value: JsonValue): TemplateField[] {
  if (typeof value === 'string') return [{ field, text: value }];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, member]) => textsIn(`${field}.${key}`, member));
}

export function placeholdersOf(template: Template): Placeholder[] {
  return template.filter((part): part is Placeholder => typeof part !== 'string');
}

/** Names of the secrets that an `http` executor uses. Its templates must have been checked. */
export function secretsOf(spec: HttpExecutorSpec): string[] {
  const used = templateFields(spec)
    .flatMap(({ text }) => placeholdersOf(parseTemplate(text)))
    .flatMap((placeholder) => (placeholder.from === 'secrets' ? [placeholder.name] : []));
  return [...new Set(used)];
}

/** Where the part of a URL ends that says which server it is of. */
export function endOfOrigin(url: string): number {
  const start = url.indexOf('://') + 3;
  const end = url.slice(start).search(/[/?#\\]/);
  return end < 0 ? url.length : start + end;
}
