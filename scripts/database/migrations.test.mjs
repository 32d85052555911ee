import { afterEach, beforeEach, expect, inject, test } from 'vitest';
import { ensureAppRole } from './app-role.mjs';
import { applyMigrations } from './apply-migrations.mjs';
import { urlAs, urlOfDatabase, withConnection } from './connection.mjs';

const server = inject('plinth').adminUrl;
const name = `plinth_scripts_${process.pid}`;
const owner = `${name}_owner`;
const adminUrl = urlOfDatabase(server, name);
const query = (url, sql) => withConnection(url, async (client) => (await client.query(sql)).rows);

beforeEach(() => query(server, `CREATE DATABASE ${name}`));
afterEach(async () => {
  await query(server, `DROP DATABASE ${name} WITH (FORCE)`);
  await query(server, `DROP ROLE IF EXISTS ${owner}`);
});

function migrations(...scripts) {
  return {
    baseDir: '/migrations',
    lockfile: { path: 'migration_lock.toml', content: 'provider = "postgresql"' },
    shadowDbInitScript: '',
    migrationDirectories: scripts.map((sql, index) => ({
      path: `2026010100000${index}_step`,
      migrationFile: { path: 'migration.sql', content: { tag: 'ok', value: sql } },
    })),
  };
}
const apply = (migrationsList, url = adminUrl) =>
  applyMigrations({ adminUrl: url, log: () => {}, migrationsList });

const TABLE = 'CREATE TABLE notes (id int CHECK (id > 0));';
const FUNCTION = `CREATE FUNCTION twice(n int) RETURNS int LANGUAGE plpgsql AS $$
  DECLARE result int;
  BEGIN result := n * 2; RETURN result; END $$;`;

test('a function with semicolons in its body is applied whole', async () => {
  await apply(migrations(TABLE, FUNCTION));

  expect(await query(adminUrl, 'SELECT twice(21) AS answer')).toEqual([{ answer: 42 }]);
});

test('three processes that migrate at once apply each migration once', async () => {
  const list = migrations(TABLE, FUNCTION);
  const applied = await Promise.all([apply(list), apply(list), apply(list)]);

  expect(applied.flat()).toHaveLength(2);
});

test('a failing migration leaves nothing behind and can be mended', async () => {
  const broken = migrations('CREATE TABLE half (id int);\nCREATE TABLE other (id no_such_type);');
  await expect(apply(broken)).rejects.toThrow(/no_such_type[\s\S]*Nothing of it was kept/);
  expect(await query(adminUrl, "SELECT to_regclass('half') AS found")).toEqual([{ found: null }]);

  expect(await apply(migrations('CREATE TABLE half (id int);'))).toHaveLength(1);
});

test('an owner who is no superuser can prepare the role and migrate', async () => {
  await query(server, `CREATE ROLE ${owner} LOGIN CREATEROLE PASSWORD 'owner'`);
  await query(server, `ALTER DATABASE ${name} OWNER TO ${owner}`);
  await query(server, `GRANT plinth_app TO ${owner} WITH ADMIN OPTION`);
  const ownerUrl = urlAs(adminUrl, owner, 'owner');
  const appUrl = await ensureAppRole({ adminUrl: ownerUrl, password: 'plinth-test' });
  await apply(migrations(`${TABLE} GRANT SELECT ON notes TO plinth_app;`), ownerUrl);

  expect(await query(appUrl, 'SELECT * FROM notes')).toEqual([]);
  await expect(query(appUrl, 'CREATE TABLE mine (id int)')).rejects.toThrow(/permission denied/);
});
