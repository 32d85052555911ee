import { PrismaPg } from '@prisma/adapter-pg';
import type pg from 'pg';
import { PrismaClient } from '../../generated/prisma/client.js';
import { TRANSACTION_MS, WAIT_FOR_CONNECTION_MS } from './connection-pool.js';
import type { StatementNames } from './statement-names.js';

/** Prisma over a pool that stays the caller's to close. */
export function createPrismaClient(pool: pg.Pool, names: StatementNames): PrismaClient {
  const adapter = new PrismaPg(pool, { statementNameGenerator: ({ sql }) => names(sql) });
  return new PrismaClient({
    adapter,
    transactionOptions: { maxWait: WAIT_FOR_CONNECTION_MS, timeout: TRANSACTION_MS },
  });
}
