import { createHash } from 'node:crypto';
import type { TenantId } from '@plinth/protocol';
import { isTenantId } from '../tenants/tenant-id.js';

const KEY = /^([A-Za-z0-9_-]{1,100})\/([0-9a-f]{2})\/([0-9a-f]{64})$/;

/**
 * Where bytes of a tenant are: `<tenant>/<first two of the hash>/<hash>`. The same for every kind of store, so that
 * files can be copied from one to another.
 *
 * @throws Error for a tenant id that cannot name a folder
 */
export function storageKeyOf(tenant: TenantId, bytes: Uint8Array): { storageKey: string; sha256: string } {
  if (!isTenantId(tenant)) throw new Error('a tenant id that cannot name a folder');
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  return { storageKey: `${tenant}/${sha256.slice(0, 2)}/${sha256}`, sha256 };
}

/**
 * A key is made of checked letters and digits only, so that none leads out of its tenant's place. Returns the hash.
 *
 * @throws Error when it is not one of this tenant
 */
export function assertOwnKey(tenant: TenantId, storageKey: string): string {
  const [, owner, prefix, sha256] = KEY.exec(storageKey) ?? [];
  if (owner !== tenant || sha256 === undefined || !sha256.startsWith(prefix ?? ''))
    throw new Error('this storage key is not one of the tenant');
  return sha256;
}
