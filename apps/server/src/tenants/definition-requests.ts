import { definitionVersion, PlinthError } from '@plinth/protocol';
import { z } from 'zod';

/** What the endpoints of tools and agents have in common. */

export const definitionPage = z.strictObject({
  cursor: z.string().min(1).max(100).optional(),
  limit: z.coerce.number().int().min(1).max(200).default(50),
});

export const oneDefinition = z.strictObject({
  version: z.coerce
    .number()
    .int()
    .min(1)
    .optional()
    .describe('A version by its number. Left out: the newest.'),
});

export const definitionHistory = z.object({
  versions: z.array(definitionVersion).describe('The newest hundred, newest first.'),
});

/**
 * The definition in a body, under the key of the path.
 *
 * @throws PlinthError invalid_request when it is none, or has another key
 */
export function definitionUnder(key: string, body: unknown): Record<string, unknown> {
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    throw new PlinthError('invalid_request', 'Send the definition as a JSON object.');
  const definition: Record<string, unknown> = { ...body };
  if (definition.key === undefined || definition.key === key) return { ...definition, key };
  const message = `must be "${key}", as in the path, or be left out`;
  throw new PlinthError('invalid_request', `Correct and send again: key: ${message}.`, {}, [
    { path: 'key', message },
  ]);
}
