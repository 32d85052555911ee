import type { TenantId } from '@plinth/protocol';

const PATTERN = /^[A-Za-z0-9_-]{1,100}$/;

/** True for what can be the id of a tenant: short, and safe in a path or a key. It need not be there. */
export function isTenantId(text: string): text is TenantId {
  return PATTERN.test(text);
}
