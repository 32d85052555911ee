import { createTestDatabase, createTestRedis } from '@plinth/testkit';
import { Redis } from 'ioredis';
import pg from 'pg';
import { expect, inject, test } from 'vitest';

const services = inject('plinth');

async function query(connectionString: string, sql: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}

test('two test databases do not see each other', async () => {
  const [one, two] = await Promise.all([createTestDatabase(services), createTestDatabase(services)]);
  await query(one.adminUrl, 'CREATE TABLE only_here (id int)');

  await expect(query(two.adminUrl, 'SELECT * FROM only_here')).rejects.toThrow(/does not exist/);
  await Promise.all([one.drop(), two.drop()]);
});

test('the role that serves is bound by row-level security', async () => {
  const database = await createTestDatabase(services);
  const [role] = await query(
    database.appUrl,
    'SELECT rolname, rolsuper, rolbypassrls FROM pg_roles WHERE rolname = current_user',
  );
  await database.drop();

  expect(role).toEqual({ rolname: 'plinth_app', rolsuper: false, rolbypassrls: false });
});

test('a dropped test database is gone even while something is connected', async () => {
  const database = await createTestDatabase(services);
  const client = new pg.Client({ connectionString: database.appUrl });
  client.on('error', () => {});
  await client.connect();
  await database.drop();

  await expect(query(database.adminUrl, 'SELECT 1')).rejects.toThrow(/does not exist/);
});

test('two test Redis databases do not see each other', async () => {
  const [one, two] = await Promise.all([createTestRedis(services), createTestRedis(services)]);
  const [first, second] = [new Redis(one.url), new Redis(two.url)];
  await first.set('key', 'value');

  expect(await second.get('key')).toBeNull();
  first.disconnect();
  second.disconnect();
  await Promise.all([one.drop(), two.drop()]);
});
