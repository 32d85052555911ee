import { PrismaPg } from '@prisma/adapter-pg';
import pg from 'pg';
import { PrismaClient } from '../../generated/prisma/client.js';
import { createStatementNames } from './statement-names.js';

export interface DatabaseSettings {
  /** The app role's URL. */
  url: string;
  /** Connections of this process. More than the database has cores for only makes transactions wait there. */
  poolSize: number;
}

/** How long a transaction waits for a connection of the pool. */
const WAIT_FOR_CONNECTION_MS = 10_000;
/** How long one transaction may take. It holds no lock across I/O, so seconds mean that something is wrong. */
const TRANSACTION_MS = 15_000;

/**
 * Settings of every connection. The time zone is not taste: the driver adapter reads a `timestamptz` as if it
 * were UTC, whatever offset it came with. The time-outs free the locks of a process that hangs.
 */
const SESSION = {
  timezone: 'UTC',
  statement_timeout: TRANSACTION_MS,
  idle_in_transaction_session_timeout: TRANSACTION_MS,
};

/**
 * A connection that Postgres may end at any moment. When its word of that comes in the same packet as the end of the
 * log-in, the pool has let go of the connection and its next owner does not listen yet: an 'error' that nobody
 * listens to would end the process. The next query on the connection fails, which is where it is dealt with.
 */
class Connection extends pg.Client {
  constructor(config?: string | pg.ClientConfig) {
    super(config);
    this.on('error', () => {});
  }
}

/** A client with a bounded pool. Connects at the first query. */
export function createPrismaClient({ url, poolSize }: DatabaseSettings): PrismaClient {
  const adapter = new PrismaPg(
    {
      connectionString: url,
      max: poolSize,
      connectionTimeoutMillis: WAIT_FOR_CONNECTION_MS,
      idleTimeoutMillis: 60_000,
      application_name: 'plinth',
      Client: Connection,
      options: Object.entries(SESSION)
        .map(([name, value]) => `-c ${name}=${value}`)
        .join(' '),
    },
    { statementNameGenerator: createStatementNames() },
  );
  return new PrismaClient({
    adapter,
    transactionOptions: { maxWait: WAIT_FOR_CONNECTION_MS, timeout: TRANSACTION_MS },
  });
}
