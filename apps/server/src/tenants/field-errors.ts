import type { FieldError } from '@plinth/protocol';
import type { z } from 'zod';

/** The findings of a schema as the API tells them: each field and what is wrong with it. */
export function fieldErrorsOf(error: z.ZodError): FieldError[] {
  return error.issues.map((issue) => ({ path: issue.path.map(String).join('.'), message: issue.message }));
}

/** One line for a person: every field and what is wrong with it. */
export function sentenceOf(fields: readonly FieldError[]): string {
  return fields.map(({ path, message }) => (path === '' ? message : `${path}: ${message}`)).join('; ');
}
