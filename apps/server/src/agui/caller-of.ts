import type { Viewer } from '@plinth/engine';
import { type AnsweredBy, type EndUserId, PlinthError, type TenantId } from '@plinth/protocol';
import type { Principal } from '../auth/principal.js';

/** An AG-UI body has no place for it. */
export const END_USER_HEADER = {
  name: 'Plinth-End-User',
  description: 'With an API key: for whom. Not with a session token.',
  required: false,
};

/**
 * For whom the request is made, and who makes it. With an API key all that follows is seen as that end user sees it.
 *
 * @throws PlinthError forbidden (a token names another), invalid_request (a key names nobody)
 */
export function callerOf(
  { tenantId, viewer, kind, id }: Principal,
  named: string | undefined,
): { tenant: TenantId; endUserId: EndUserId; viewer: Viewer; by: AnsweredBy } {
  const own = viewer.endUserId;
  if (own !== null && named !== undefined && named !== own)
    throw new PlinthError(
      'forbidden',
      `A session token is for its own end user only. Leave ${END_USER_HEADER.name} out.`,
    );
  const endUserId = own ?? (named as EndUserId | undefined);
  if (endUserId === undefined || !/^\P{Cc}{1,200}$/u.test(endUserId)) {
    const field = { path: END_USER_HEADER.name, message: 'is required with an API key: 1 to 200 characters' };
    throw new PlinthError('invalid_request', `Name the end user in the header ${field.path}.`, {}, [field]);
  }
  const by: AnsweredBy = kind === 'api_key' ? { kind: 'api_key', id } : { kind: 'end_user', id: endUserId };
  return { tenant: tenantId, endUserId, viewer: { endUserId }, by };
}
