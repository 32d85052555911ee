import type { EndUserId, TenantId } from '@plinth/protocol';
import type { Prisma, PrismaClient } from '../../generated/prisma/client.js';
import { assertSafeRole } from './assert-safe-role.js';
import { isTransient } from './database-errors.js';
import { createPrismaClient, type DatabaseSettings } from './prisma-client.js';

/** A transaction whose every statement sees one tenant, and one end user of it when the viewer is one. */
export type TenantTransaction = Prisma.TransactionClient;

/** First try included. The loser of a deadlock or a serialization failure has been rolled back completely. */
const MAX_ATTEMPTS = 4;

/** The only way to tenant rows. Row-level security raises for a query that comes by another way. */
export class TenantDatabase {
  readonly #client: PrismaClient;

  constructor(settings: DatabaseSettings) {
    this.#client = createPrismaClient(settings);
  }

  /**
   * Runs `work` in one short transaction. It must do nothing but database work: it holds a connection, and
   * runs again when the database asks for that.
   */
  async inTenant<T>(
    tenant: TenantId,
    viewer: { endUserId: EndUserId | null },
    work: (tx: TenantTransaction) => Promise<T>,
  ): Promise<T> {
    // The policies read '' as "not an end user": it must never stand for a person.
    if (viewer.endUserId === '') throw new Error('an end user id must not be empty');
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await this.#client.$transaction(async (tx) => {
          await tx.$queryRaw`SELECT set_config('plinth.tenant', ${tenant}, true),
                                    set_config('plinth.end_user', ${viewer.endUserId ?? ''}, true)`;
          return work(tx);
        });
      } catch (error) {
        if (attempt === MAX_ATTEMPTS || !isTransient(error)) throw error;
      }
    }
  }

  /** For the functions of the `plinth` schema, which answer before a tenant is known. Tenant tables raise here. */
  platform(): Pick<PrismaClient, '$queryRaw'> {
    return this.#client;
  }

  /** @throws Error when the connected role is not bound by row-level security. Called at start. */
  async assertSafeRole(): Promise<void> {
    await assertSafeRole(this.#client);
  }

  /** @throws Error when the database does not answer. */
  async ping(): Promise<void> {
    await this.#client.$queryRaw`SELECT 1`;
  }

  async close(): Promise<void> {
    await this.#client.$disconnect();
  }
}
