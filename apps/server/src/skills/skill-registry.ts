import { type Clock, digestOf, type IdSource } from '@plinth/engine';
import {
  type Page,
  type PinnedSkill,
  PlinthError,
  type SkillListItem,
  type SkillView,
  skillDefinition,
  type TenantId,
} from '@plinth/protocol';
import type { Skill as SkillRow } from '../generated/prisma/client.js';
import type { TenantDatabase, TenantTransaction } from '../platform/database/tenant-database.js';
import { fieldErrorsOf, sentenceOf } from '../tenants/field-errors.js';
import { lockInTenant } from '../tenants/lock-in-tenant.js';
import { WHOLE_TENANT } from '../tenants/whole-tenant.js';

/** The skills of a tenant, every version of them. Agents take the newest when they are published. */
export class SkillRegistry {
  constructor(
    private readonly database: TenantDatabase,
    private readonly clock: Clock,
    private readonly ids: IdSource,
  ) {}

  /**
   * Adds a version of a skill. One that says the same as the newest adds none.
   *
   * @throws PlinthError `invalid_request`, naming each field
   */
  async put(tenant: TenantId, raw: unknown): Promise<{ skill: SkillView; changed: boolean }> {
    const parsed = skillDefinition.safeParse(raw);
    if (!parsed.success) {
      const fields = fieldErrorsOf(parsed.error);
      throw new PlinthError(
        'invalid_request',
        `The skill was not stored. ${sentenceOf(fields)}.`,
        {},
        fields,
      );
    }
    const { key } = parsed.data;
    const digest = digestOf(parsed.data);
    return this.database.inTenant(tenant, WHOLE_TENANT, async (tx) => {
      await lockInTenant(tx, tenant, `skill ${key}`);
      const newest = await tx.skill.findFirst({
        where: { tenantId: tenant, key },
        orderBy: { version: 'desc' },
      });
      if (newest?.digest === digest) return { skill: toView(newest), changed: false };
      const row = await tx.skill.create({
        data: {
          tenantId: tenant,
          id: this.ids.next('skill'),
          key,
          version: (newest?.version ?? 0) + 1,
          definition: JSON.stringify(parsed.data),
          digest,
          createdAt: new Date(this.clock.now()),
        },
      });
      return { skill: toView(row), changed: true };
    });
  }

  /**
   * The newest version, or the one that is named.
   *
   * @throws PlinthError `not_found`
   */
  async get(tenant: TenantId, key: string, version?: number): Promise<SkillView> {
    const row = await this.database.inTenant(tenant, WHOLE_TENANT, (tx) =>
      tx.skill.findFirst({
        where: { tenantId: tenant, key, ...(version === undefined ? {} : { version }) },
        orderBy: { version: 'desc' },
      }),
    );
    if (row === null) throw new PlinthError('not_found', 'There is no such skill.', { key });
    return toView(row);
  }

  /** The newest version of each skill, by key. The cursor is the key of the last item. */
  async list(
    tenant: TenantId,
    page: { cursor?: string | undefined; limit: number },
  ): Promise<Page<SkillListItem>> {
    const rows = await this.database.inTenant(tenant, WHOLE_TENANT, (tx) =>
      tx.skill.findMany({
        where: { tenantId: tenant, ...(page.cursor === undefined ? {} : { key: { gt: page.cursor } }) },
        distinct: ['key'],
        orderBy: [{ key: 'asc' }, { version: 'desc' }],
        take: page.limit + 1,
      }),
    );
    const items = rows.slice(0, page.limit).map((row) => {
      const { content: _, ...item } = toView(row);
      return item;
    });
    return { items, nextCursor: rows.length > page.limit ? (items.at(-1)?.key ?? null) : null };
  }
}

/** The newest version of each of these keys, inside a transaction that needs them. Unknown keys are left out. */
export async function newestSkills(
  tx: TenantTransaction,
  tenant: TenantId,
  keys: readonly string[],
): Promise<Map<string, PinnedSkill>> {
  const rows = await tx.$queryRaw<{ definition: string; version: number; digest: string }[]>`
    SELECT DISTINCT ON (key) definition, version, digest FROM skill
     WHERE tenant_id = ${tenant} AND key = ANY(${[...keys]})
     ORDER BY key, version DESC`;
  return new Map(
    rows.map(({ definition, version, digest }) => {
      const skill = skillDefinition.parse(JSON.parse(definition));
      return [skill.key, { ...skill, version, digest }];
    }),
  );
}

function toView({ definition, version, digest, createdAt }: SkillRow): SkillView {
  return {
    ...skillDefinition.parse(JSON.parse(definition)),
    version,
    digest,
    createdAt: createdAt.toISOString(),
  };
}
