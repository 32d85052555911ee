import type { PipeTransform } from '@nestjs/common';
import { type FieldError, PlinthError } from '@plinth/protocol';
import type { z } from 'zod';

const fieldsOf = (error: z.ZodError): FieldError[] =>
  error.issues.map((issue) => ({ path: issue.path.join('.'), message: issue.message }));

/** @throws PlinthError invalid_request, naming each field */
export function parseOrRefuse<T extends z.ZodType>(schema: T, value: unknown): z.output<T> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const fields = fieldsOf(parsed.error);
  const named = fields.map(({ path, message }) => `${path || 'the body'}: ${message}`).join('; ');
  throw new PlinthError('invalid_request', `Correct and send again: ${named}.`, {}, fields);
}

/** Checks a body or query against its schema: `@Body(zod(startRunRequest))`. */
export function zod<T extends z.ZodType>(schema: T): PipeTransform<unknown, z.output<T>> {
  return { transform: (value) => parseOrRefuse(schema, value ?? {}) };
}
