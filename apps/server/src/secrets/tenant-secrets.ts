import type { Clock } from '@plinth/engine';
import { PlinthError, type TenantId } from '@plinth/protocol';
import type { TenantDatabase, TenantTransaction } from '../platform/database/tenant-database.js';
import { lockInTenant } from '../tenants/lock-in-tenant.js';
import { WHOLE_TENANT } from '../tenants/whole-tenant.js';
import type { SealedSecret, SecretCipher } from './secret-cipher.js';

/** Times are milliseconds since the Unix epoch. */
export interface SecretEntry {
  name: string;
  createdAt: number;
  updatedAt: number;
}

export interface RevealedSecrets {
  values: ReadonlyMap<string, string>;
  /** Names that the tenant has not. */
  missing: string[];
  /** Names whose value no master secret of this installation opens. */
  unreadable: string[];
}

/** Secrets of one tenant. More are no configuration but a store, which this is not. */
const MOST_SECRETS = 200;

/** The named secrets of tenants. Values come out by `reveal` only, for the moment of a request to another service. */
export class TenantSecrets {
  constructor(
    private readonly database: TenantDatabase,
    private readonly clock: Clock,
    private readonly cipher: SecretCipher,
  ) {}

  /** Stores a value under a name, in place of the one before. @throws PlinthError `invalid_request` when there are too many */
  async put(tenant: TenantId, name: string, value: string): Promise<SecretEntry> {
    const sealed = columns(this.cipher.seal(tenant, name, value));
    const now = new Date(this.clock.now());
    return this.database.inTenant(tenant, WHOLE_TENANT, async (tx) => {
      await lockInTenant(tx, tenant, 'secrets');
      const others = await tx.tenantSecret.count({ where: { tenantId: tenant, name: { not: name } } });
      if (others >= MOST_SECRETS) {
        throw new PlinthError(
          'invalid_request',
          `A tenant has at most ${MOST_SECRETS} secrets. Delete one that is not used any more.`,
        );
      }
      const row = await tx.tenantSecret.upsert({
        where: { tenantId_name: { tenantId: tenant, name } },
        create: { tenantId: tenant, name, ...sealed, createdAt: now, updatedAt: now },
        update: { ...sealed, updatedAt: now },
        select: ENTRY,
      });
      return toEntry(row);
    });
  }

  /** In the order of their names. */
  async list(tenant: TenantId): Promise<SecretEntry[]> {
    const rows = await this.database.inTenant(tenant, WHOLE_TENANT, (tx) =>
      tx.tenantSecret.findMany({ where: { tenantId: tenant }, orderBy: { name: 'asc' }, select: ENTRY }),
    );
    return rows.map(toEntry);
  }

  /** @throws PlinthError `not_found` */
  async delete(tenant: TenantId, name: string): Promise<void> {
    const { count } = await this.database.inTenant(tenant, WHOLE_TENANT, (tx) =>
      tx.tenantSecret.deleteMany({ where: { tenantId: tenant, name } }),
    );
    if (count === 0) throw new PlinthError('not_found', `There is no secret ${name}.`, { name });
  }

  /**
   * The values of these secrets. One that an earlier master secret has sealed is sealed anew with the present one,
   * so that the earlier one can be forgotten when all have been used or stored again.
   */
  async reveal(tenant: TenantId, names: readonly string[]): Promise<RevealedSecrets> {
    if (names.length === 0) return { values: new Map(), missing: [], unreadable: [] };
    const rows = await this.database.inTenant(tenant, WHOLE_TENANT, (tx) =>
      tx.tenantSecret.findMany({ where: { tenantId: tenant, name: { in: [...names] } } }),
    );
    const values = new Map<string, string>();
    const unreadable: string[] = [];
    for (const row of rows) {
      const value = this.cipher.open(tenant, row.name, row);
      if (value === null) unreadable.push(row.name);
      else values.set(row.name, value);
      if (value !== null && this.cipher.isOutdated(row)) await this.#sealAnew(tenant, row, value);
    }
    const found = new Set(rows.map(({ name }) => name));
    return { values, missing: names.filter((name) => !found.has(name)), unreadable };
  }

  async #sealAnew(tenant: TenantId, row: SealedSecret & { name: string }, value: string): Promise<void> {
    const { name, keyId } = row;
    await this.database.inTenant(tenant, WHOLE_TENANT, (tx) =>
      tx.tenantSecret.updateMany({
        // Not over a value that was stored meanwhile.
        where: { tenantId: tenant, name, keyId, nonce: new Uint8Array(row.nonce) },
        data: columns(this.cipher.seal(tenant, name, value)),
      }),
    );
  }
}

/** Which of these names the tenant has no secret for, inside a transaction. */
export async function missingSecrets(
  tx: TenantTransaction,
  tenant: TenantId,
  names: readonly string[],
): Promise<string[]> {
  if (names.length === 0) return [];
  const rows = await tx.tenantSecret.findMany({
    where: { tenantId: tenant, name: { in: [...names] } },
    select: { name: true },
  });
  const found = new Set(rows.map(({ name }) => name));
  return names.filter((name) => !found.has(name));
}

const ENTRY = { name: true, createdAt: true, updatedAt: true } as const;

function toEntry(row: { name: string; createdAt: Date; updatedAt: Date }): SecretEntry {
  return { name: row.name, createdAt: row.createdAt.getTime(), updatedAt: row.updatedAt.getTime() };
}

/** Prisma wants byte arrays with a buffer of their own. */
function columns({ ciphertext, nonce, keyId }: SealedSecret) {
  return { ciphertext: new Uint8Array(ciphertext), nonce: new Uint8Array(nonce), keyId };
}
