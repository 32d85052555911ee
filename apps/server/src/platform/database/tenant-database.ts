import type { EndUserId, TenantId } from '@plinth/protocol';
import type pg from 'pg';
import { Prisma, type PrismaClient } from '../../generated/prisma/client.js';
import { assertSafeRole } from './assert-safe-role.js';
import { createConnectionPool, type DatabaseSettings } from './connection-pool.js';
import { isTransient } from './database-errors.js';
import { Pipeline, type ResultRow } from './pipeline.js';
import { createPrismaClient } from './prisma-client.js';
import { createStatementNames } from './statement-names.js';

/** A transaction whose every statement sees one tenant, and one end user of it when the viewer is one. */
export type TenantTransaction = Prisma.TransactionClient;

/** Whose rows are seen: those of one end user, or all of the tenant's. */
export interface RowViewer {
  endUserId: EndUserId | null;
}

/** First try included. The loser of a deadlock or a serialization failure has been rolled back completely. */
const MAX_ATTEMPTS = 4;

/** The policies read the tenant and the end user from the transaction. */
function viewOf(tenant: TenantId, { endUserId }: RowViewer): Prisma.Sql {
  // The policies read '' as "not an end user": it must never stand for a person.
  if (endUserId === '') throw new Error('an end user id must not be empty');
  return Prisma.sql`SELECT set_config('plinth.tenant', ${tenant}, true), set_config('plinth.end_user', ${endUserId ?? ''}, true)`;
}

/** The only way to tenant rows. Row-level security raises for a query that comes by another way. */
export class TenantDatabase {
  readonly #pool: pg.Pool;
  readonly #client: PrismaClient;
  readonly #pipeline: Pipeline;

  constructor(settings: DatabaseSettings) {
    const names = createStatementNames();
    this.#pool = createConnectionPool(settings);
    this.#client = createPrismaClient(this.#pool, names);
    this.#pipeline = new Pipeline(this.#pool, names);
  }

  /**
   * Runs `work` in one short transaction. It must do nothing but database work: it holds a connection, and
   * runs again when the database asks for that. Each statement is a round trip; for what runs all the time there
   * are `send` and `decide`.
   */
  async inTenant<T>(
    tenant: TenantId,
    viewer: RowViewer,
    work: (tx: TenantTransaction) => Promise<T>,
  ): Promise<T> {
    const view = viewOf(tenant, viewer);
    return again(() =>
      this.#client.$transaction(async (tx) => {
        await tx.$queryRaw(view);
        return work(tx);
      }),
    );
  }

  /** Statements in one transaction and one round trip. Returns the rows of each. */
  async send(tenant: TenantId, viewer: RowViewer, statements: readonly Prisma.Sql[]): Promise<ResultRow[][]> {
    const view = viewOf(tenant, viewer);
    return (await again(() => this.#pipeline.send([view, ...statements]))).slice(1);
  }

  /** The first row of one statement. */
  async sendOne<Row = ResultRow>(
    tenant: TenantId,
    viewer: RowViewer,
    statement: Prisma.Sql,
  ): Promise<Row | undefined> {
    const [rows] = await this.send(tenant, viewer, [statement]);
    return rows?.[0] as Row | undefined;
  }

  /**
   * One transaction of two round trips: `opening` is read (and locked), statement by statement, and `choose` returns
   * what is written then. It is pure, for it may run again, and synchronous; what it throws rolls back and rises.
   *
   * @param opening by name. One that is null is left out, and has no rows.
   */
  async decide<Name extends string, Result>(
    tenant: TenantId,
    viewer: RowViewer,
    opening: Readonly<Record<Name, Prisma.Sql | null>>,
    choose: (read: Record<Name, ResultRow[]>) => { writes: readonly Prisma.Sql[]; result: Result },
  ): Promise<{ result: Result; written: ResultRow[][] }> {
    const view = viewOf(tenant, viewer);
    const named = Object.entries(opening) as [Name, Prisma.Sql | null][];
    const statements = named.flatMap(([, statement]) => (statement === null ? [] : [statement]));
    const chooseByName = ([, ...rows]: ResultRow[][]) =>
      choose(
        Object.fromEntries(
          named.map(([name, statement]) => [name, statement === null ? [] : (rows.shift() ?? [])]),
        ) as Record<Name, ResultRow[]>,
      );
    const { chosen, written } = await again(() => this.#pipeline.decide([view, ...statements], chooseByName));
    return { result: chosen.result, written };
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
    await this.#pool.end();
  }
}

async function again<T>(attempt: () => Promise<T>): Promise<T> {
  for (let attempts = 1; ; attempts += 1) {
    try {
      return await attempt();
    } catch (error) {
      if (attempts === MAX_ATTEMPTS || !isTransient(error)) throw error;
    }
  }
}
