import { type Clock, digestOf, type IdSource } from '@plinth/engine';
import { PlinthError, type TenantId, type ToolDefinition, toolDefinition } from '@plinth/protocol';
import type { TenantDatabase, TenantTransaction } from '../platform/database/tenant-database.js';
import { missingSecrets } from '../secrets/tenant-secrets.js';
import { sentenceOf } from '../tenants/field-errors.js';
import { lockInTenant } from '../tenants/lock-in-tenant.js';
import { WHOLE_TENANT } from '../tenants/whole-tenant.js';
import { checkTool } from './check-tool.js';
import { secretsOf } from './http/http-templates.js';

export interface RegisteredTool {
  key: string;
  version: number;
  /** False when the newest version says the same already. */
  changed: boolean;
  /** What a call will lack as things are now. */
  warnings: string[];
}

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
  async register(tenant: TenantId, raw: unknown): Promise<RegisteredTool> {
    const [registered] = await this.registerAll(tenant, [raw]);
    if (registered === undefined) throw new Error('a tool was registered without a result');
    return registered;
  }

  /**
   * Adds versions of several tools, in one transaction: all or none. In the order of their keys.
   *
   * @param options.dryRun says what would be done, and writes nothing
   * @throws PlinthError `invalid_request` for the first that does not hold, naming each field
   */
  async registerAll(
    tenant: TenantId,
    raws: readonly unknown[],
    { dryRun = false }: { dryRun?: boolean } = {},
  ): Promise<RegisteredTool[]> {
    // One order for everybody, so that two who register the same tools cannot wait for each other.
    const tools = raws.map(checkedTool).sort((one, other) => (one.key < other.key ? -1 : 1));
    return this.database.inTenant(tenant, WHOLE_TENANT, async (tx) => {
      const registered: RegisteredTool[] = [];
      for (const tool of tools) registered.push(await this.#addVersion(tx, tenant, tool, dryRun));
      return registered;
    });
  }

  async #addVersion(
    tx: TenantTransaction,
    tenant: TenantId,
    tool: ToolDefinition,
    dryRun: boolean,
  ): Promise<RegisteredTool> {
    const digest = digestOf(tool);
    await lockInTenant(tx, tenant, `tool ${tool.key}`);
    const lacking = tool.executor.kind === 'http' ? secretsOf(tool.executor) : [];
    const warnings = (await missingSecrets(tx, tenant, lacking)).map(
      (name) => `the secret ${name} is not set; calls fail until it is`,
    );
    const newest = await tx.tool.findFirst({
      where: { tenantId: tenant, key: tool.key },
      orderBy: { version: 'desc' },
      select: { version: true, digest: true },
    });
    if (newest?.digest === digest)
      return { key: tool.key, version: newest.version, changed: false, warnings };
    const version = (newest?.version ?? 0) + 1;
    if (dryRun) return { key: tool.key, version, changed: true, warnings };
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
    return { key: tool.key, version, changed: true, warnings };
  }
}

/** @throws PlinthError `invalid_request`, naming each field */
function checkedTool(raw: unknown): ToolDefinition {
  const checked = checkTool(raw);
  if (checked.ok) return checked.tool;
  throw new PlinthError(
    'invalid_request',
    `The tool was not registered. ${sentenceOf(checked.fields)}.`,
    {},
    checked.fields,
  );
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
