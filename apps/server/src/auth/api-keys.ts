import type { Clock, IdSource } from '@plinth/engine';
import { PlinthError, type TenantId } from '@plinth/protocol';
import type { ApiKey as ApiKeyRow } from '../generated/prisma/client.js';
import type { TenantDatabase } from '../platform/database/tenant-database.js';
import { WHOLE_TENANT } from '../tenants/whole-tenant.js';
import { generateApiKey, hashApiKey, matchesApiKeyHash, parseApiKey } from './api-key.js';
import { isScope, type Scope } from './principal.js';

/** An API key without its secret. Times are milliseconds since the Unix epoch. */
export interface ApiKey {
  id: string;
  prefix: string;
  name: string;
  scopes: Scope[];
  createdAt: number;
  expiresAt: number | null;
  revokedAt: number | null;
  lastUsedAt: number | null;
}

export interface NewApiKey {
  name: string;
  scopes: readonly Scope[];
  expiresAt: number | null;
}

export type FoundApiKey =
  | { ok: true; tenantId: TenantId; apiKey: ApiKey }
  | { ok: false; reason: 'unknown' | 'expired' | 'revoked' };

const UNKNOWN: FoundApiKey = { ok: false, reason: 'unknown' };
/** A busy key would otherwise write its row with every request. */
const LAST_USED_EVERY_MS = 60_000;

/** The API keys of tenants. Every look-up reads the row: a revoked key stops working in all processes at once. */
export class ApiKeys {
  constructor(
    private readonly database: TenantDatabase,
    private readonly clock: Clock,
    private readonly ids: IdSource,
  ) {}

  /** Makes a key. `clear` is the only time that the key itself can be read. */
  async create(tenant: TenantId, wanted: NewApiKey): Promise<{ clear: string; apiKey: ApiKey }> {
    const { clear } = generateApiKey();
    return { clear, apiKey: await this.register(tenant, clear, wanted) };
  }

  /** Takes a key that an operator brings along. @throws PlinthError `invalid_request` when it has not the form of one. */
  async register(tenant: TenantId, clear: string, wanted: NewApiKey): Promise<ApiKey> {
    const parsed = parseApiKey(clear);
    if (parsed === null) {
      throw new PlinthError(
        'invalid_request',
        'An API key looks like plk_<4 to 16 letters or digits>_<32 to 128 characters>.',
      );
    }
    const row = await this.database.inTenant(tenant, WHOLE_TENANT, (tx) =>
      tx.apiKey.create({
        data: {
          tenantId: tenant,
          id: this.ids.next('apiKey'),
          prefix: parsed.prefix,
          hash: hashApiKey(clear),
          scopes: [...wanted.scopes],
          name: wanted.name,
          createdAt: new Date(this.clock.now()),
          expiresAt: wanted.expiresAt === null ? null : new Date(wanted.expiresAt),
        },
      }),
    );
    return toApiKey(row);
  }

  /** Finds whose key this is, and notes that it was used. */
  async find(clear: string): Promise<FoundApiKey> {
    if (parseApiKey(clear) === null) return UNKNOWN;
    const [found] = await this.database.platform().$queryRaw<{ tenant_id: TenantId; api_key_id: string }[]>`
      SELECT tenant_id, api_key_id FROM plinth.find_api_key(${hashApiKey(clear)})`;
    if (found === undefined) return UNKNOWN;
    const { tenant_id: tenantId, api_key_id: id } = found;
    return this.database.inTenant(tenantId, WHOLE_TENANT, async (tx) => {
      const row = await tx.apiKey.findUnique({ where: { tenantId_id: { tenantId, id } } });
      if (row === null || !matchesApiKeyHash(clear, row.hash)) return UNKNOWN;
      const apiKey = toApiKey(row);
      const now = this.clock.now();
      if (apiKey.revokedAt !== null) return { ok: false, reason: 'revoked' };
      if (apiKey.expiresAt !== null && apiKey.expiresAt <= now) return { ok: false, reason: 'expired' };
      const notedBefore = now - LAST_USED_EVERY_MS;
      if (apiKey.lastUsedAt === null || apiKey.lastUsedAt <= notedBefore) {
        await tx.apiKey.updateMany({
          // Asked again in the row itself: of many requests at once, one writes.
          where: { tenantId, id, OR: [{ lastUsedAt: null }, { lastUsedAt: { lte: new Date(notedBefore) } }] },
          data: { lastUsedAt: new Date(now) },
        });
      }
      return { ok: true, tenantId, apiKey };
    });
  }

  /** All keys of the tenant, newest first. */
  async list(tenant: TenantId): Promise<ApiKey[]> {
    const rows = await this.database.inTenant(tenant, WHOLE_TENANT, (tx) =>
      tx.apiKey.findMany({ where: { tenantId: tenant }, orderBy: [{ createdAt: 'desc' }, { id: 'desc' }] }),
    );
    return rows.map(toApiKey);
  }

  /** Ends a key for good. A key that has ended already stays as it is. @throws PlinthError `not_found` */
  async revoke(tenant: TenantId, id: string): Promise<void> {
    await this.database.inTenant(tenant, WHOLE_TENANT, async (tx) => {
      const found = await tx.apiKey.findUnique({ where: { tenantId_id: { tenantId: tenant, id } } });
      if (found === null) throw new PlinthError('not_found', `There is no API key ${id}.`, { id });
      await tx.apiKey.updateMany({
        where: { tenantId: tenant, id, revokedAt: null },
        data: { revokedAt: new Date(this.clock.now()) },
      });
    });
  }
}

function toApiKey(row: ApiKeyRow): ApiKey {
  return {
    id: row.id,
    prefix: row.prefix,
    name: row.name,
    scopes: row.scopes.filter(isScope),
    createdAt: row.createdAt.getTime(),
    expiresAt: row.expiresAt?.getTime() ?? null,
    revokedAt: row.revokedAt?.getTime() ?? null,
    lastUsedAt: row.lastUsedAt?.getTime() ?? null,
  };
}
