/**
 * A database of its own for a test file: a clone of the migrated template, made in some ten milliseconds.
 */
import { randomBytes } from 'node:crypto';
import pg from 'pg';
import type { TestServices } from './provided.js';

export interface TestDatabase {
  /** The admin, who owns the tables and is not bound by row-level security. */
  readonly adminUrl: string;
  /** The role `plinth_app`, as the server connects. */
  readonly appUrl: string;
  /** Ends what is still connected and removes the database. */
  drop(): Promise<void>;
}

export async function createTestDatabase(provided: TestServices): Promise<TestDatabase> {
  const name = `plinth_test_${randomBytes(6).toString('hex')}`;
  await onServer(provided.adminUrl, `CREATE DATABASE ${name} TEMPLATE ${provided.templateDatabase}`);
  return {
    adminUrl: withDatabase(provided.adminUrl, name),
    appUrl: withDatabase(provided.appUrl, name),
    async drop() {
      await onServer(provided.adminUrl, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
    },
  };
}

async function onServer(connectionString: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}

function withDatabase(url: string, name: string): string {
  const parsed = new URL(url);
  parsed.pathname = `/${name}`;
  return parsed.toString();
}
