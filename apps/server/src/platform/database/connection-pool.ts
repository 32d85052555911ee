import pg from 'pg';

export interface DatabaseSettings {
  /** The app role's URL. */
  url: string;
  /** Connections of this process. More than the database has cores for only makes transactions wait there. */
  poolSize: number;
}

/** How long a transaction waits for a connection of the pool. */
export const WAIT_FOR_CONNECTION_MS = 10_000;
/** How long one transaction may take. It holds no lock across I/O, so seconds mean that something is wrong. */
export const TRANSACTION_MS = 15_000;

/**
 * Settings of every connection. The time zone is not taste: the driver adapter reads a `timestamptz` as if it
 * were UTC, whatever offset it came with. The time-outs free the locks of a process that hangs.
 */
const SESSION = {
  timezone: 'UTC',
  plan_cache_mode: 'force_generic_plan',
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

const INT8 = 20;

/** 64-bit numbers exactly, all else as the driver has it. */
const types: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format?: 'text' | 'binary') =>
    oid === INT8 ? BigInt : pg.types.getTypeParser(oid, format)) as typeof pg.types.getTypeParser,
};

/**
 * The connections of this process, for Prisma and for what is sent without it. Each connects when it is first needed.
 * `pipeline`: a query is sent without waiting for the answer to the one before it.
 */
export function createConnectionPool({ url, poolSize }: DatabaseSettings): pg.Pool {
  const settings: pg.PoolConfig & { pipeline: boolean } = {
    connectionString: url,
    max: poolSize,
    connectionTimeoutMillis: WAIT_FOR_CONNECTION_MS,
    idleTimeoutMillis: 60_000,
    application_name: 'plinth',
    Client: Connection,
    pipeline: true,
    types,
    options: Object.entries(SESSION)
      .map(([name, value]) => `-c ${name}=${value}`)
      .join(' '),
  };
  const pool = new pg.Pool(settings);
  // An idle connection that ends is not an error: the pool has dropped it.
  pool.on('error', () => {});
  return pool;
}
