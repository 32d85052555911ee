import pg from 'pg';
import { Prisma } from '../../generated/prisma/client.js';

/** What is told of an error of the database: by the driver, or by its adapter inside the `meta` of Prisma's error. */
interface AdapterCause {
  originalCode?: string;
  constraint?: { index?: string };
}

function causeOf(error: unknown): AdapterCause | null {
  if (error instanceof pg.DatabaseError) {
    const { code, constraint } = error;
    return {
      ...(code === undefined ? {} : { originalCode: code }),
      ...(constraint === undefined ? {} : { constraint: { index: constraint } }),
    };
  }
  if (!(error instanceof Prisma.PrismaClientKnownRequestError)) return null;
  const adapterError = error.meta?.driverAdapterError;
  return adapterError instanceof Error ? (adapterError.cause as AdapterCause) : null;
}

/** SQLSTATE of a database error, e.g. `23505`; null when the error is of another origin. */
export function sqlStateOf(error: unknown): string | null {
  return causeOf(error)?.originalCode ?? null;
}

/** True when the transaction lost to another one and would succeed if it were simply run again. */
export function isTransient(error: unknown): boolean {
  const state = sqlStateOf(error);
  if (state !== null) return state === '40001' || state === '40P01';
  return error instanceof Prisma.PrismaClientKnownRequestError && error.code === 'P2034';
}

/** True when a row was refused because another one has its place in this unique index. */
export function violatesUnique(error: unknown, index: string): boolean {
  return sqlStateOf(error) === '23505' && causeOf(error)?.constraint?.index === index;
}
