import type { Clock, IdSource } from '@plinth/engine';
import type { TenantId } from '@plinth/protocol';
import { violatesUnique } from '../platform/database/database-errors.js';
import type { TenantDatabase } from '../platform/database/tenant-database.js';
import { WHOLE_TENANT } from './whole-tenant.js';

/** The businesses that share this installation. */
export class Tenants {
  constructor(
    private readonly database: TenantDatabase,
    private readonly clock: Clock,
    private readonly ids: IdSource,
  ) {}

  /** The tenant with this key; made when there is none. The name is kept up to date. */
  async ensure(tenant: { key: string; name: string }): Promise<{ id: TenantId; created: boolean }> {
    const found = await this.findByKey(tenant.key);
    if (found !== null) {
      await this.#rename(found, tenant.name);
      return { id: found, created: false };
    }
    try {
      return { id: await this.#create(tenant), created: true };
    } catch (error) {
      // Another process was first.
      const winner = violatesUnique(error, 'tenant_key_key') ? await this.findByKey(tenant.key) : null;
      if (winner === null) throw error;
      return { id: winner, created: false };
    }
  }

  async findByKey(key: string): Promise<TenantId | null> {
    const [found] = await this.database.platform().$queryRaw<{ tenant_id: TenantId }[]>`
      SELECT tenant_id FROM plinth.find_tenant(${key})`;
    return found?.tenant_id ?? null;
  }

  /** A new tenant is written from inside itself: its policy lets nothing else through. */
  async #create({ key, name }: { key: string; name: string }): Promise<TenantId> {
    const id = this.ids.next('tenant') as TenantId;
    await this.database.inTenant(id, WHOLE_TENANT, (tx) =>
      tx.tenant.create({ data: { id, key, name, createdAt: new Date(this.clock.now()) } }),
    );
    return id;
  }

  async #rename(id: TenantId, name: string): Promise<void> {
    await this.database.inTenant(id, WHOLE_TENANT, (tx) =>
      tx.tenant.updateMany({ where: { id, name: { not: name } }, data: { name } }),
    );
  }
}
