import { type EndUserId, PlinthError } from '@plinth/protocol';
import { z } from 'zod';
import type { Principal } from '../auth/principal.js';

/** What the requests that make a run have in common besides their bodies. */

const idempotencyKey = z
  .string()
  .regex(/^[\x21-\x7e]{1,200}$/, 'must be 1 to 200 printable ASCII characters without spaces')
  .optional();

export const IDEMPOTENCY_HEADER = {
  name: 'Idempotency-Key',
  description: 'The same key with the same request gets the same run again; with another request: 422.',
  required: false,
};

/** @throws PlinthError invalid_idempotency_key */
export function idempotencyKeyOf(header: string | undefined): string | null {
  const key = idempotencyKey.safeParse(header);
  if (key.success) return key.data ?? null;
  throw new PlinthError(
    'invalid_idempotency_key',
    `The header Idempotency-Key ${key.error.issues[0]?.message}.`,
  );
}

/**
 * Whom a new run is for: an API key names the end user, a session token is one.
 *
 * @throws PlinthError forbidden (a token names another), invalid_request (a key names nobody)
 */
export function endUserOf(caller: Principal, named: string | undefined): EndUserId {
  const own = caller.viewer.endUserId;
  if (own !== null) {
    if (named !== undefined && named !== own)
      throw new PlinthError(
        'forbidden',
        'A session token starts runs for its own end user only. Leave endUserId out.',
      );
    return own;
  }
  if (named !== undefined) return named as EndUserId;
  const field = { path: 'endUserId', message: 'is required with an API key' };
  throw new PlinthError('invalid_request', 'Name the end user that the run is for: endUserId.', {}, [field]);
}
