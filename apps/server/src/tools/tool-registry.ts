import { type Clock, digestOf, type IdSource } from '@plinth/engine';
import { PlinthError, type TenantId, type ToolDefinition, toolDefinition } from '@plinth/protocol';
import type { TenantDatabase, TenantTransaction } from '../platform/database/tenant-database.js';
import { sentenceOf } from '../tenants/field-errors.js';
import { lockInTenant } from '../tenants/lock-in-tenant.js';
import { WHOLE_TENANT } from '../tenants/whole-tenant.js';
import { checkTool } from './check-tool.js';

/** The tools of a tenant, every version of them. Agents take the newest when they are published. */
export class ToolRegistry {
  constructor(
    private readonly database: TenantDatabase,
    private readonly clock: Clock,
    private readonly ids: IdSource,
  ) {}

  /**
   * Adds a version of a tool. A definition that says the same as the newest one adds none.
   *
   * @throws PlinthError `invalid_request`, naming each field
   */
  async register(
    tenant: TenantId,
    raw: unknown,
  ): Promise<{ key: string; version: number; changed: boolean }> {
    const checked = checkTool(raw);
    if (!checked.ok) {
      throw new PlinthError(
        'invalid_request',
        `The tool was not registered. ${sentenceOf(checked.fields)}.`,
        {},
        checked.fields,
      );
    }
    const { tool } = checked;
    const digest = digestOf(tool);
    return this.database.inTenant(tenant, WHOLE_TENANT, async (tx) => {
      await lockInTenant(tx, tenant, `tool ${tool.key}`);
      const newest = await tx.tool.findFirst({
        where: { tenantId: tenant, key: tool.key },
        orderBy: { version: 'desc' },
        select: { version: true, digest: true },
      });
      if (newest?.digest === digest) return { key: tool.key, version: newest.version, changed: false };
      const version = (newest?.version ?? 0) + 1;
      await tx.tool.create({
        data: {
          tenantId: tenant,
          id: this.ids.next('tool'),
          key: tool.key,
          version,
          definition: JSON.stringify(tool),
          digest,
          createdAt: new Date(this.clock.now()),
        },
      });
      return { key: tool.key, version, changed: true };
    });
  }
}

/** The newest definition of each of these keys, inside a transaction that needs them. Unknown keys are left out. */
export async function newestTools(
  tx: TenantTransaction,
  tenant: TenantId,
  keys: readonly string[],
): Promise<Map<string, ToolDefinition>> {
  const rows = await tx.$queryRaw<{ key: string; definition: string }[]>`
    SELECT DISTINCT ON (key) key, definition FROM tool
     WHERE tenant_id = ${tenant} AND key = ANY(${[...keys]})
     ORDER BY key, version DESC`;
  return new Map(rows.map(({ key, definition }) => [key, toolDefinition.parse(JSON.parse(definition))]));
}
