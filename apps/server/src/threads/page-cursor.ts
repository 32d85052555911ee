import { PlinthError } from '@plinth/protocol';
import type { z } from 'zod';

/** A cursor is opaque to clients, so that what it is made of may change. */
export function encodeCursor(position: unknown): string {
  return Buffer.from(JSON.stringify(position)).toString('base64url');
}

/** @throws PlinthError `invalid_request` for a text that is no cursor of this list */
export function decodeCursor<Schema extends z.ZodType>(cursor: string, schema: Schema): z.output<Schema> {
  const parsed = schema.safeParse(parseJson(Buffer.from(cursor, 'base64url').toString('utf8')));
  if (parsed.success) return parsed.data;
  throw new PlinthError(
    'invalid_request',
    'This cursor is not one of this list. Leave it out to start at the newest.',
    {},
    [{ path: 'cursor', message: 'is not a cursor of this list' }],
  );
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
