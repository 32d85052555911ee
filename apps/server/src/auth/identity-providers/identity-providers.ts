import { type Clock, digestOf } from '@plinth/engine';
import { type Page, PlinthError, type TenantId } from '@plinth/protocol';
import { Prisma, type IdentityProvider as ProviderRow } from '../../generated/prisma/client.js';
import { violatesUnique } from '../../platform/database/database-errors.js';
import type { TenantDatabase, TenantTransaction } from '../../platform/database/tenant-database.js';
import { sentenceOf } from '../../tenants/field-errors.js';
import { lockInTenant } from '../../tenants/lock-in-tenant.js';
import { WHOLE_TENANT } from '../../tenants/whole-tenant.js';
import { type CheckedDefinition, checkIdentityProvider } from './check-identity-provider.js';

export interface IdentityProvider {
  key: string;
  revision: number;
  definition: CheckedDefinition;
  /** Milliseconds since the Unix epoch. */
  createdAt: number;
  updatedAt: number;
}

export type FoundProvider =
  | { kind: 'found'; tenantId: TenantId; provider: IdentityProvider }
  | { kind: 'unknown' }
  | { kind: 'ambiguous' };

/** Of one tenant. A business has one, and perhaps another for its staff. */
const MOST_PROVIDERS = 20;

/** The identity providers of tenants. Every look-up reads the row: one that is taken away is refused in all processes at once. */
export class IdentityProviders {
  constructor(
    private readonly database: TenantDatabase,
    private readonly clock: Clock,
  ) {}

  /** Whose tokens have this issuer and one of these audiences. `ambiguous`: more than one configuration has. */
  async findFor(issuer: string, audiences: readonly string[]): Promise<FoundProvider> {
    const [found, another] = await this.database.platform().$queryRaw<
      { tenant_id: TenantId; provider_key: string }[]
    >`SELECT tenant_id, provider_key FROM plinth.find_identity_providers(${issuer}, ${[...audiences]})`;
    if (found === undefined) return { kind: 'unknown' };
    if (another !== undefined) return { kind: 'ambiguous' };
    const { tenant_id: tenantId, provider_key: key } = found;
    const row = await this.database.sendOne<ProviderRow>(
      tenantId,
      WHOLE_TENANT,
      Prisma.sql`SELECT key, revision, issuer, audience, definition, created_at AS "createdAt", updated_at AS "updatedAt"
                   FROM identity_provider WHERE key = ${key} AND tenant_id = ${tenantId}`,
    );
    // Changed between the two reads: another pair is another provider.
    if (row?.issuer !== issuer || !audiences.includes(row.audience)) return { kind: 'unknown' };
    return { kind: 'found', tenantId, provider: toProvider(row) };
  }

  /** Null when there is none with this key. */
  async find(tenant: TenantId, key: string): Promise<IdentityProvider | null> {
    const row = await this.database.inTenant(tenant, WHOLE_TENANT, (tx) => rowOf(tx, tenant, key));
    return row === null ? null : toProvider(row);
  }

  /** All of them, by key. */
  async list(tenant: TenantId): Promise<Page<IdentityProvider>> {
    const rows = await this.database.inTenant(tenant, WHOLE_TENANT, (tx) =>
      tx.identityProvider.findMany({ where: { tenantId: tenant }, orderBy: { key: 'asc' } }),
    );
    return { items: rows.map(toProvider), nextCursor: null };
  }

  /**
   * Sets a provider up, or changes it. One that says the same already keeps its revision.
   *
   * @param expectedRevision the one that the author saw; 0: none. Left out: whatever is there
   * @throws PlinthError `invalid_request` naming each field; `identity_provider_conflict` with the current revision;
   *   `identity_provider_taken` when another configuration, of whatever tenant, has this issuer and audience
   */
  async put(
    tenant: TenantId,
    key: string,
    raw: unknown,
    expectedRevision: number | undefined,
  ): Promise<IdentityProvider> {
    const definition = checked(key, raw);
    const digest = digestOf(definition);
    const { issuer, audience } = definition;
    const writing = this.database.inTenant(tenant, WHOLE_TENANT, async (tx) => {
      await lockInTenant(tx, tenant, 'identity providers');
      const before = await rowOf(tx, tenant, key);
      const revision = before?.revision ?? 0;
      if (expectedRevision !== undefined && expectedRevision !== revision)
        throw conflict(key, expectedRevision, revision);
      if (before?.digest === digest) return before;
      if (
        before === null &&
        (await tx.identityProvider.count({ where: { tenantId: tenant } })) >= MOST_PROVIDERS
      )
        throw tooMany();
      const now = new Date(this.clock.now());
      const data = {
        revision: revision + 1,
        issuer,
        audience,
        definition: JSON.stringify(definition),
        digest,
        updatedAt: now,
      };
      return tx.identityProvider.upsert({
        where: { tenantId_key: { tenantId: tenant, key } },
        create: { tenantId: tenant, key, createdAt: now, ...data },
        update: data,
      });
    });
    return toProvider(
      await writing.catch((error: unknown) => {
        throw violatesUnique(error, 'identity_provider_issuer_audience_key') ? taken() : error;
      }),
    );
  }

  /** Takes a provider away: its tokens are refused from now on. @throws PlinthError `not_found` */
  async remove(tenant: TenantId, key: string): Promise<void> {
    const { count } = await this.database.inTenant(tenant, WHOLE_TENANT, (tx) =>
      tx.identityProvider.deleteMany({ where: { tenantId: tenant, key } }),
    );
    if (count === 0) throw noSuchProvider(key);
  }
}

export function noSuchProvider(key: string): PlinthError {
  return new PlinthError('not_found', `There is no identity provider "${key}".`);
}

function rowOf(tx: TenantTransaction, tenant: TenantId, key: string): Promise<ProviderRow | null> {
  return tx.identityProvider.findUnique({ where: { tenantId_key: { tenantId: tenant, key } } });
}

function checked(key: string, raw: unknown): CheckedDefinition {
  const result = checkIdentityProvider(key, raw);
  if (result.ok) return result.definition;
  const { fields } = result;
  const message = `The identity provider was not set up. ${sentenceOf(fields)}.`;
  throw new PlinthError('invalid_request', message, {}, fields);
}

/** Says nothing of whose it is. */
function taken(): PlinthError {
  return new PlinthError(
    'identity_provider_taken',
    'Another configuration has this issuer and audience already. Use an audience that only your own API has at the provider; if this one is yours alone, ask the operator.',
    {},
    [{ path: 'audience', message: 'is taken together with this issuer' }],
  );
}

function tooMany(): PlinthError {
  return new PlinthError(
    'invalid_request',
    `A tenant has at most ${MOST_PROVIDERS} identity providers. Delete one that is not used any more.`,
  );
}

function conflict(key: string, expectedRevision: number, currentRevision: number): PlinthError {
  return new PlinthError(
    'identity_provider_conflict',
    `The identity provider "${key}" is at revision ${currentRevision}, not ${expectedRevision}. Read it, and change that.`,
    { expectedRevision, currentRevision },
  );
}

function toProvider(row: Omit<ProviderRow, 'tenantId' | 'digest'>): IdentityProvider {
  return {
    key: row.key,
    revision: row.revision,
    definition: JSON.parse(row.definition) as CheckedDefinition,
    createdAt: row.createdAt.getTime(),
    updatedAt: row.updatedAt.getTime(),
  };
}
