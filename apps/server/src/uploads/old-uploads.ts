import { type ArtifactStore, type Clock, toIso } from '@plinth/engine';
import type { TenantId } from '@plinth/protocol';
import type { TenantDatabase } from '../platform/database/tenant-database.js';
import { WHOLE_TENANT } from '../tenants/whole-tenant.js';
import { UPLOAD_LIFE_MS } from './uploads.js';

/** Milliseconds after its end for which an upload is kept: a message that took it at the last moment is written by then. */
const GRACE_MS = 60 * 60 * 1000;
const MOST_AT_ONCE = 500;

/**
 * Forgets uploads whose day is over, in all tenants: first the bytes, unless something else of the tenant has the same ones,
 * then the rows. Who dies in between, or finds the store away, leaves rows that the next one begins with.
 *
 * Bytes are named by their hash, so that others may count on the same ones. Rows that do are found here; whoever is about to
 * write one has stored its bytes within a day, and the store keeps those.
 */
export class OldUploads {
  constructor(
    private readonly ports: {
      database: TenantDatabase;
      artifacts: Pick<ArtifactStore, 'remove'>;
      clock: Pick<Clock, 'now'>;
    },
  ) {}

  /** @throws Error of the store, when the bytes of some could not be deleted; the others are gone */
  async forget(): Promise<void> {
    while ((await this.#forgetSome()) === MOST_AT_ONCE);
  }

  async #forgetSome(): Promise<number> {
    const now = this.ports.clock.now();
    const madeBefore = toIso(now - UPLOAD_LIFE_MS - GRACE_MS);
    const due = await this.ports.database.platform().$queryRaw<{ tenant: TenantId; id: string }[]>`
      SELECT tenant_id AS tenant, id
        FROM plinth.due_uploads(${madeBefore}::timestamptz, ${MOST_AT_ONCE}::int)`;
    const ofTenants = new Map<TenantId, string[]>();
    for (const { tenant, id } of due) ofTenants.set(tenant, [...(ofTenants.get(tenant) ?? []), id]);
    const failures: unknown[] = [];
    for (const [tenant, ids] of ofTenants)
      await this.#forgetOf(tenant, ids, madeBefore, now - UPLOAD_LIFE_MS).catch((error: unknown) =>
        failures.push(error),
      );
    if (failures.length > 0) throw failures[0];
    return due.length;
  }

  async #forgetOf(tenant: TenantId, ids: string[], madeBefore: string, storedBefore: number): Promise<void> {
    const { database, artifacts } = this.ports;
    const unneeded = await this.#unneededBy(tenant, ids, madeBefore);
    for (const storageKey of unneeded) await artifacts.remove(tenant, storageKey, storedBefore);
    await database.inTenant(tenant, WHOLE_TENANT, (tx) =>
      tx.upload.deleteMany({ where: { tenantId: tenant, id: { in: ids } } }),
    );
  }

  /** Where bytes are that no row of the tenant names but uploads whose day is over. */
  async #unneededBy(tenant: TenantId, ids: string[], madeBefore: string): Promise<string[]> {
    const rows = await this.ports.database.inTenant(
      tenant,
      WHOLE_TENANT,
      (tx) => tx.$queryRaw<{ storageKey: string }[]>`
        WITH old AS (
          SELECT DISTINCT storage_key FROM upload WHERE tenant_id = ${tenant} AND id = ANY(${ids}))
        SELECT old.storage_key AS "storageKey"
          FROM old
         WHERE NOT EXISTS (SELECT FROM upload u
                 WHERE u.tenant_id = ${tenant} AND u.storage_key = old.storage_key
                   AND u.created_at > ${madeBefore}::timestamptz)
           AND NOT EXISTS (SELECT FROM artifact a
                 WHERE a.tenant_id = ${tenant} AND a.storage_key = old.storage_key)
           AND NOT EXISTS (SELECT FROM artifact_version v
                 WHERE v.tenant_id = ${tenant} AND v.storage_key = old.storage_key)
           AND NOT EXISTS (SELECT FROM image_variant i
                 WHERE i.tenant_id = ${tenant} AND i.storage_key = old.storage_key)
           AND NOT EXISTS (SELECT FROM image_import m
                 WHERE m.tenant_id = ${tenant} AND m.storage_key = old.storage_key)`,
    );
    return rows.map(({ storageKey }) => storageKey);
  }
}
