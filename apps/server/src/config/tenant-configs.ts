import type { Clock } from '@plinth/engine';
import { type Page, PlinthError, type TenantConfig, type TenantId } from '@plinth/protocol';
import { z } from 'zod';
import { Prisma, type TenantConfigRevision } from '../generated/prisma/client.js';
import type { TenantDatabase } from '../platform/database/tenant-database.js';
import { sentenceOf } from '../tenants/field-errors.js';
import { lockInTenant } from '../tenants/lock-in-tenant.js';
import { WHOLE_TENANT } from '../tenants/whole-tenant.js';
import { type ConfigLayer, effectiveConfig } from './effective-config.js';

/** One immutable revision: what the tenant set, who did it and why. */
export interface ConfigRevision {
  /** 0: nothing has been set yet. */
  revision: number;
  /** The tenant's own settings. */
  values: ConfigLayer;
  author: string;
  reason: string;
  /** Milliseconds since the Unix epoch. */
  createdAt: number;
}

export interface ConfigInForce extends ConfigRevision {
  /** Every setting: the tenant's own, over the installation's, over the defaults. */
  effective: TenantConfig;
}

export interface ConfigChange {
  /** The revision that the author saw: nobody overwrites what they have not read. */
  expectedRevision: number;
  /** All settings of the tenant, not only the changed ones. What is left out has its default. */
  values: unknown;
  author: string;
  reason: string;
}

type RevisionRow = Omit<TenantConfigRevision, 'tenantId'>;
/** What stands where a tenant has changed nothing yet. */
const NO_ROW = { revision: 0, values: {}, author: 'platform', reason: 'defaults', createdAt: new Date(0) };
const layer = z.record(z.string(), z.unknown());

/** The revisions of a tenant's configuration. A rollback is a new revision with old values. */
export class TenantConfigs {
  /** @param installation settings of this installation, between the defaults and the tenant's: e.g. its model */
  constructor(
    private readonly database: TenantDatabase,
    private readonly clock: Clock,
    private readonly installation: ConfigLayer,
  ) {}

  async current(tenant: TenantId): Promise<ConfigInForce> {
    const row = await this.database.sendOne<RevisionRow>(
      tenant,
      WHOLE_TENANT,
      Prisma.sql`
      SELECT revision, values, author, reason, created_at AS "createdAt" FROM tenant_config_revision
       WHERE tenant_id = ${tenant} ORDER BY revision DESC LIMIT 1`,
    );
    return this.#inForce(row ?? NO_ROW);
  }

  /** @throws Error when there is no such revision */
  async at(tenant: TenantId, revision: number): Promise<ConfigInForce> {
    if (revision === NO_ROW.revision) return this.#inForce(NO_ROW);
    const row = await this.database.inTenant(tenant, WHOLE_TENANT, (tx) =>
      tx.tenantConfigRevision.findUniqueOrThrow({
        where: { tenantId_revision: { tenantId: tenant, revision } },
      }),
    );
    return this.#inForce(row);
  }

  /** Newest first. The cursor is the revision of the last item. */
  async history(
    tenant: TenantId,
    page: { cursor?: string | undefined; limit: number },
  ): Promise<Page<ConfigRevision>> {
    const before = page.cursor === undefined ? undefined : revisionOf(page.cursor);
    const rows = await this.database.inTenant(tenant, WHOLE_TENANT, (tx) =>
      tx.tenantConfigRevision.findMany({
        where: { tenantId: tenant, ...(before === undefined ? {} : { revision: { lt: before } }) },
        orderBy: { revision: 'desc' },
        take: page.limit + 1,
      }),
    );
    const items = rows.slice(0, page.limit).map(toRevision);
    const last = rows.length > page.limit ? items.at(-1) : undefined;
    return { items, nextCursor: last === undefined ? null : String(last.revision) };
  }

  /**
   * Makes a new revision.
   *
   * @throws PlinthError `invalid_request` naming each field; `config_revision_conflict` with the current revision
   */
  async change(tenant: TenantId, change: ConfigChange): Promise<ConfigInForce> {
    const values = check(change);
    return this.database.inTenant(tenant, WHOLE_TENANT, async (tx) => {
      await lockInTenant(tx, tenant, 'config');
      const newest = await tx.tenantConfigRevision.findFirst({
        where: { tenantId: tenant },
        orderBy: { revision: 'desc' },
        select: { revision: true, author: true },
      });
      const currentRevision = newest?.revision ?? NO_ROW.revision;
      if (currentRevision !== change.expectedRevision)
        throw conflict(change.expectedRevision, currentRevision, newest?.author);
      const row = await tx.tenantConfigRevision.create({
        data: {
          tenantId: tenant,
          revision: currentRevision + 1,
          values: values as Prisma.InputJsonObject,
          author: change.author,
          reason: change.reason,
          createdAt: new Date(this.clock.now()),
        },
      });
      return this.#inForce(row);
    });
  }

  #inForce(row: RevisionRow): ConfigInForce {
    const revision = toRevision(row);
    const effective = effectiveConfig([this.installation, revision.values]);
    // Checked when it was written; a release that takes a setting away must migrate the revisions.
    if (!effective.ok)
      throw new Error(
        `configuration revision ${row.revision} does not hold: ${sentenceOf(effective.fields)}`,
      );
    return { ...revision, effective: effective.values };
  }
}

/** @throws PlinthError `invalid_request`, naming each field */
function check(change: ConfigChange): ConfigLayer {
  const parsed = layer.safeParse(change.values);
  const checked = parsed.success
    ? effectiveConfig([parsed.data])
    : { ok: false as const, fields: [{ path: '', message: 'the configuration must be an object' }] };
  const fields = [
    ...(change.author.trim() === '' ? [{ path: 'author', message: 'say who makes the change' }] : []),
    ...(change.reason.trim() === '' ? [{ path: 'reason', message: 'say why the change is made' }] : []),
    ...(checked.ok
      ? []
      : checked.fields.map(({ path, message }) => ({
          path: path === '' ? 'values' : `values.${path}`,
          message,
        }))),
  ];
  if (fields.length > 0 || !parsed.success) {
    throw new PlinthError(
      'invalid_request',
      `The configuration was not changed. ${sentenceOf(fields)}.`,
      {},
      fields,
    );
  }
  return parsed.data;
}

function conflict(
  expectedRevision: number,
  currentRevision: number,
  author: string | undefined,
): PlinthError {
  const who = author === undefined ? '' : ` by ${author}`;
  return new PlinthError(
    'config_revision_conflict',
    `The configuration is at revision ${currentRevision}${who}, not ${expectedRevision}. Read it, and change that.`,
    { expectedRevision, currentRevision },
  );
}

function revisionOf(cursor: string): number {
  if (/^\d{1,9}$/.test(cursor)) return Number(cursor);
  throw new PlinthError('invalid_request', 'This cursor is not one of this list.', {}, [
    { path: 'cursor', message: 'is not valid' },
  ]);
}

function toRevision({ revision, values, author, reason, createdAt }: RevisionRow): ConfigRevision {
  return { revision, values: layer.parse(values), author, reason, createdAt: createdAt.getTime() };
}
