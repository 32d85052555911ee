import type pg from 'pg';
import { Prisma } from '../../generated/prisma/client.js';
import type { StatementNames } from './statement-names.js';

export type ResultRow = Record<string, unknown>;
const BEGIN = Prisma.sql`BEGIN`;
const COMMIT = Prisma.sql`COMMIT`;

/**
 * Transactions of which each part is sent at once, so that they cost one round trip, or two when something has to be
 * decided between reading and writing. What a statement waits for the others wait for too: each still begins when the
 * one before it is done, and sees what was committed until then.
 */
export class Pipeline {
  constructor(
    private readonly pool: pg.Pool,
    private readonly names: StatementNames,
  ) {}

  /** All statements in one transaction. Returns the rows of each. */
  async send(statements: readonly Prisma.Sql[]): Promise<ResultRow[][]> {
    return this.#withConnection(async (connection) => {
      const results = await this.#together(connection, [BEGIN, ...statements, COMMIT]);
      return results.slice(1, -1);
    });
  }

  /**
   * Two parts of one transaction: `choose` gets what the first one read, under the locks that it took, and returns the
   * second. It is synchronous: a transaction is never held across I/O. What it throws rolls back and rises.
   */
  async decide<Chosen extends { writes: readonly Prisma.Sql[] }>(
    opening: readonly Prisma.Sql[],
    choose: (read: ResultRow[][]) => Chosen,
  ): Promise<{ chosen: Chosen; written: ResultRow[][] }> {
    return this.#withConnection(async (connection) => {
      const read = (await this.#together(connection, [BEGIN, ...opening])).slice(1);
      const chosen = choose(read);
      const written = await this.#together(connection, [...chosen.writes, COMMIT]);
      return { chosen, written: written.slice(0, -1) };
    });
  }

  /**
   * The first failure rises. What was sent after it has failed with it: Postgres does nothing more in a failed
   * transaction, and answers its COMMIT with a rollback.
   */
  async #together(connection: pg.PoolClient, statements: readonly Prisma.Sql[]): Promise<ResultRow[][]> {
    const sent = statements.map(({ text, values }) =>
      connection.query<ResultRow>(
        values.length === 0 ? text : { name: this.names(text), text, values: values as unknown[] },
      ),
    );
    const outcomes = await Promise.allSettled(sent);
    const failed = outcomes.find((outcome) => outcome.status === 'rejected');
    if (failed) throw failed.reason;
    return outcomes.map((outcome) => (outcome.status === 'fulfilled' ? outcome.value.rows : []));
  }

  async #withConnection<T>(work: (connection: pg.PoolClient) => Promise<T>): Promise<T> {
    const connection = await this.pool.connect();
    try {
      const result = await work(connection);
      connection.release();
      return result;
    } catch (error) {
      await this.#leave(connection);
      throw error;
    }
  }

  /** Back into the pool, outside any transaction; a connection that cannot even roll back is not used again. */
  async #leave(connection: pg.PoolClient): Promise<void> {
    try {
      await connection.query('ROLLBACK');
      connection.release();
    } catch {
      connection.release(true);
    }
  }
}
