import type { TenantId } from '@plinth/protocol';
import type { TenantTransaction } from '../platform/database/tenant-database.js';

/**
 * Lets one transaction at a time change the named thing of a tenant; the lock ends with the transaction. For
 * numbers that must be counted up without gap where no row exists yet that could be locked.
 */
export async function lockInTenant(tx: TenantTransaction, tenant: TenantId, name: string): Promise<void> {
  await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended(${`${tenant}\n${name}`}, 0))`;
}
