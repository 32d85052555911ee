import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { EndUserId, TenantId } from '@plinth/protocol';
import { anId, createTestDatabase, type TestDatabase } from '@plinth/testkit';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { Prisma } from '../src/generated/prisma/client.js';
import { sqlStateOf } from '../src/platform/database/database-errors.js';
import { TenantDatabase, type TenantTransaction } from '../src/platform/database/tenant-database.js';
import { type SeededTenant, seedEveryTable } from './tenancy-seed.js';

/**
 * Tenants are kept apart by the database. The tables are read from the catalogue: a new one without its
 * policies, or without a row in the seed, fails here.
 */
const BOB = 'bob' as EndUserId;
const WHOLE_TENANT = { endUserId: null };
const NO_TENANT = /no tenant is set for this transaction/;

let testDatabase: TestDatabase;
let database: TenantDatabase;
let admin: pg.Client;
let app: pg.Client;
let tables: string[];
let acme: SeededTenant;
let globex: SeededTenant;

beforeAll(async () => {
  testDatabase = await createTestDatabase(inject('plinth'));
  database = new TenantDatabase({ url: testDatabase.appUrl, poolSize: 4 });
  admin = await connect(testDatabase.adminUrl);
  app = await connect(testDatabase.appUrl);
  tables = await column(
    admin,
    `SELECT table_name FROM information_schema.tables
      WHERE table_schema = 'public' AND table_type = 'BASE TABLE' AND table_name <> '_prisma_migrations' ORDER BY 1`,
  );
});

afterAll(async () => {
  await Promise.all([admin?.end(), app?.end(), database?.close()]);
  await testDatabase?.drop();
});

async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  return client;
}

async function column<Value = string>(
  client: pg.Client,
  sql: string,
  values: unknown[] = [],
): Promise<Value[]> {
  const { rows } = await client.query({ text: sql, values, rowMode: 'array' });
  return rows.map(([value]) => value);
}

/** The column that says whose a row is. */
const ownerOf = (table: string): string => (table === 'tenant' ? 'id' : 'tenant_id');

const count = async (tx: TenantTransaction, table: string, condition = Prisma.sql`true`): Promise<number> => {
  const [row] = await tx.$queryRaw<
    { rows: number }[]
  >`SELECT count(*)::int AS rows FROM ${Prisma.raw(table)} WHERE ${condition}`;
  return row?.rows ?? 0;
};

/** A copy of a row that the transaction sees, with one column changed. */
const copyOf = (table: string, name: string, value: string): Prisma.Sql => Prisma.sql`
  INSERT INTO ${Prisma.raw(table)}
  SELECT (json_populate_record(t, json_build_object(${name}::text, ${value}::text))).* FROM ${Prisma.raw(table)} t LIMIT 1`;

describe('without a tenant', () => {
  test('a query raises, even on an empty table, even after a transaction that had one', async () => {
    await app.query(`BEGIN; SELECT set_config('plinth.tenant', 'ten_1', true); COMMIT`);
    for (const table of tables) {
      await expect(app.query(`SELECT 1 FROM ${table}`), table).rejects.toThrow(NO_TENANT);
      await expect(
        app.query(`SELECT 1 FROM ${table} WHERE ${ownerOf(table)} = 'ten_1'`),
        table,
      ).rejects.toThrow(NO_TENANT);
    }
    await expect(database.inTenant('' as TenantId, WHOLE_TENANT, (tx) => tx.run.findMany())).rejects.toThrow(
      NO_TENANT,
    );
  });
});

describe('with a tenant', () => {
  beforeAll(async () => {
    acme = await seedEveryTable(database);
    globex = await seedEveryTable(database);
  });

  test('every table enables and forces row-level security, with a policy about the tenant for the app role', async () => {
    const guarded = await column(
      admin,
      `SELECT c.relname FROM pg_class c JOIN pg_policies p ON p.tablename = c.relname AND p.schemaname = 'public'
        WHERE c.relnamespace = 'public'::regnamespace AND c.relrowsecurity AND c.relforcerowsecurity
          AND p.policyname = 'own_tenant' AND p.permissive = 'PERMISSIVE' AND p.cmd = 'ALL' AND p.roles = '{plinth_app}'
        ORDER BY 1`,
    );
    expect(guarded).toEqual(tables);
    const keyed = await column(
      admin,
      `SELECT table_name FROM information_schema.columns
        WHERE table_schema = 'public' AND column_name = 'tenant_id' AND is_nullable = 'NO' ORDER BY 1`,
    );
    expect(keyed).toEqual(tables.filter((table) => table !== 'tenant'));
  });

  test('every foreign key starts with the tenant', async () => {
    const keys = await column(
      admin,
      `SELECT pg_get_constraintdef(oid) FROM pg_constraint WHERE contype = 'f' AND connamespace = 'public'::regnamespace`,
    );
    expect(keys.length).toBeGreaterThan(20);
    for (const key of keys) {
      expect(key).toMatch(
        /^FOREIGN KEY \(tenant_id(, \w+)*\) REFERENCES (tenant\(id\)|\w+\(tenant_id, [\w, "]+\))$/,
      );
    }
  });

  test('its own rows are visible, and none of another tenant', async () => {
    for (const table of tables) {
      await database.inTenant(acme.tenant, WHOLE_TENANT, async (tx) => {
        expect(await count(tx, table), table).toBeGreaterThan(0);
        const foreign = Prisma.sql`${Prisma.raw(ownerOf(table))} <> ${acme.tenant}`;
        expect(await count(tx, table, foreign), table).toBe(0);
      });
    }
    await database.inTenant(anId<TenantId>('tenant'), WHOLE_TENANT, async (tx) => {
      for (const table of tables) expect(await count(tx, table), table).toBe(0);
    });
  });

  test('a row for another tenant is refused', async () => {
    for (const table of tables) {
      const inserting = database.inTenant(acme.tenant, WHOLE_TENANT, (tx) =>
        tx.$executeRaw(copyOf(table, ownerOf(table), globex.tenant)),
      );
      await expect(inserting, table).rejects.toThrow(/new row violates row-level security policy/);
    }
  });

  test("another tenant's rows can neither be changed nor deleted", async () => {
    const touched = await database.inTenant(acme.tenant, WHOLE_TENANT, async (tx) => [
      await tx.$executeRaw`UPDATE run SET status = 'failed' WHERE tenant_id = ${globex.tenant}`,
      await tx.$executeRaw`DELETE FROM event_outbox WHERE tenant_id = ${globex.tenant}`,
    ]);
    expect(touched).toEqual([0, 0]);
  });

  test('a setting does not outlive its transaction, even when that fails', async () => {
    await expect(
      database.inTenant(acme.tenant, WHOLE_TENANT, (tx) => tx.$queryRaw`SELECT 1 / 0`),
    ).rejects.toThrow();
    for (let query = 0; query < 8; query += 1) {
      await expect(database.platform().$queryRaw`SELECT 1 FROM run`).rejects.toThrow(NO_TENANT);
    }
  });
});

describe('an end user', () => {
  test('sees and writes nothing of another end user, in every table that knows end users', async () => {
    const personal = await column(
      admin,
      `SELECT table_name FROM information_schema.columns WHERE table_schema = 'public' AND column_name = 'end_user_id' ORDER BY 1`,
    );
    expect(personal).toEqual([
      'agui_thread',
      'artifact',
      'artifact_version',
      'interrupt',
      'message',
      'remembered_approval',
      'run',
      'thread',
      'upload',
    ]);
    for (const table of personal) {
      const viewing = (endUserId: EndUserId) =>
        database.inTenant(acme.tenant, { endUserId }, (tx) => count(tx, table));
      expect(await viewing(BOB), table).toBe(0);
      expect(await viewing(acme.endUserId), table).toBeGreaterThan(0);
      const inserting = database.inTenant(acme.tenant, { endUserId: acme.endUserId }, (tx) =>
        tx.$executeRaw(copyOf(table, 'end_user_id', BOB)),
      );
      await expect(inserting, table).rejects.toThrow(/new row violates row-level security policy/);
    }
  });

  test('without an id is refused, since the policies would take it for the whole tenant', async () => {
    const reading = database.inTenant(acme.tenant, { endUserId: '' as EndUserId }, (tx) => tx.run.findMany());
    await expect(reading).rejects.toThrow('must not be empty');
  });
});

describe('the app role', () => {
  test('cannot switch policies off, go around them, or become another role', async () => {
    for (const attempt of [
      'ALTER TABLE run DISABLE ROW LEVEL SECURITY',
      'ALTER TABLE run NO FORCE ROW LEVEL SECURITY',
      'DROP POLICY own_tenant ON run',
      'CREATE POLICY everything ON run USING (true)',
      'ALTER FUNCTION plinth.current_tenant() RENAME TO gone',
      'SET ROLE postgres',
    ]) {
      await expect(app.query(attempt), attempt).rejects.toThrow(
        /must be owner|permission denied|must be able to SET ROLE/,
      );
    }
    await app.query('SET row_security = off');
    await expect(app.query('SELECT 1 FROM run')).rejects.toThrow(
      /would be affected by row-level security policy/,
    );
    await app.query('RESET row_security');
  });

  test('cannot rewrite what is immutable', async () => {
    const attempt = (sql: string) =>
      database.inTenant(acme.tenant, WHOLE_TENANT, (tx) => tx.$executeRawUnsafe(sql));
    const immutable = [
      'agent_version',
      'artifact_version',
      'tool',
      'skill',
      'tenant_config_revision',
      'message',
      'turn',
    ];
    for (const table of immutable) {
      await expect(attempt(`UPDATE ${table} SET tenant_id = tenant_id`), table).rejects.toThrow(
        /permission denied/,
      );
      await expect(attempt(`DELETE FROM ${table}`), table).rejects.toThrow(/permission denied/);
    }
  });

  test('alone may call the lookups, which have a fixed search path', async () => {
    const { rows } = await admin.query(
      `SELECT proname AS name, proconfig AS settings, has_function_privilege('public', oid, 'EXECUTE') AS "anybody",
              has_function_privilege('plinth_app', oid, 'EXECUTE') AS "app", prosecdef AS "definer"
         FROM pg_proc WHERE pronamespace = 'plinth'::regnamespace`,
    );
    expect(rows.every(({ anybody, app: allowed }) => allowed && !anybody)).toBe(true);
    const definers = rows.filter(({ definer }) => definer);
    expect(definers.map(({ name }) => name).sort()).toEqual([
      'due_interrupts',
      'due_remote_jobs',
      'due_runs',
      'due_streams',
      'due_uploads',
      'find_api_key',
      'find_callback',
      'find_identity_providers',
      'find_tenant',
      'overdue_runs',
    ]);
    for (const { settings } of definers) expect(settings).toEqual(['search_path=pg_catalog, pg_temp']);
  });

  test('is accepted at start; a superuser, one with BYPASSRLS, a member of either, and an owner are refused', async () => {
    await database.assertSafeRole();
    await expect(refusal(testDatabase.adminUrl)).resolves.toMatch(/is a superuser.*plinth_app/s);
    for (const { make, expected } of [
      { make: (role: string) => `ALTER ROLE ${role} BYPASSRLS`, expected: /may bypass row-level security/ },
      {
        make: (role: string) => `GRANT ${admin.user} TO ${role}`,
        expected: /is a superuser, or may become one/,
      },
      { make: (role: string) => `ALTER TABLE tool OWNER TO ${role}`, expected: /owns the tables/ },
    ]) {
      const role = `plinth_test_${anId('apiKey').replace(/\W/g, '')}_${process.pid}`;
      await admin.query(`CREATE ROLE ${role} LOGIN PASSWORD 'test'; ${make(role)}`);
      try {
        await expect(refusal(asRole(testDatabase.adminUrl, role, 'test'))).resolves.toMatch(expected);
      } finally {
        await admin.query(
          `REASSIGN OWNED BY ${role} TO CURRENT_USER; DROP OWNED BY ${role}; DROP ROLE ${role}`,
        );
      }
    }
  });

  async function refusal(url: string): Promise<string> {
    const other = new TenantDatabase({ url, poolSize: 1 });
    try {
      return await other.assertSafeRole().then(
        () => 'accepted',
        (error: Error) => error.message,
      );
    } finally {
      await other.close();
    }
  }
});

function asRole(url: string, role: string, password: string): string {
  const parsed = new URL(url);
  parsed.username = role;
  parsed.password = password;
  return parsed.toString();
}

describe('the lookups', () => {
  test('find what they are asked for, whatever its tenant', async () => {
    const found = async (sql: string, value: string) => (await app.query(sql, [value])).rows;
    for (const { tenant, key, apiKey, callback } of [acme, globex]) {
      expect(await found('SELECT * FROM plinth.find_tenant($1)', key)).toEqual([{ tenant_id: tenant }]);
      expect(await found('SELECT * FROM plinth.find_api_key($1)', apiKey.hash)).toEqual([
        { tenant_id: tenant, api_key_id: apiKey.id },
      ]);
      expect(await found('SELECT * FROM plinth.find_callback($1)', callback.tokenHash)).toEqual([
        { tenant_id: tenant, interrupt_id: callback.interruptId },
      ]);
    }
    expect(await found('SELECT * FROM plinth.find_api_key($1)', 'no such hash')).toEqual([]);
    const pair = (tenant: TenantId) =>
      found(`SELECT * FROM plinth.find_identity_providers('https://idp.example', ARRAY[$1, 'b'])`, tenant);
    expect(await pair(acme.tenant)).toEqual([{ tenant_id: acme.tenant, provider_key: 'login' }]);
    expect(await pair(globex.tenant)).toEqual([{ tenant_id: globex.tenant, provider_key: 'login' }]);
    expect(await pair(anId<TenantId>('tenant'))).toEqual([]);
  });

  test('work when the role that migrates is no superuser, who then sees rows through them alone', async () => {
    const suffix = `${process.pid}_${anId('tenant').replace(/\W/g, '')}`;
    const [owner, name] = [`plinth_test_owner_${suffix}`, `plinth_test_owned_${suffix}`];
    await admin.query(`CREATE ROLE ${owner} LOGIN PASSWORD 'test'`);
    await admin.query(`CREATE DATABASE ${name} OWNER ${owner}`);
    const inOwned = (url: string) => Object.assign(new URL(url), { pathname: `/${name}` }).toString();
    const migrator = await connect(inOwned(asRole(testDatabase.adminUrl, owner, 'test')));
    const owned = new TenantDatabase({ url: inOwned(testDatabase.appUrl), poolSize: 2 });
    try {
      for (const sql of migrations()) await migrator.query(sql);
      const { key, tenant, apiKey } = await seedEveryTable(owned);
      expect(await owned.platform().$queryRaw`SELECT * FROM plinth.find_tenant(${key})`).toEqual([
        { tenant_id: tenant },
      ]);
      expect(
        await owned.platform().$queryRaw`SELECT * FROM plinth.find_api_key(${apiKey.hash})`,
      ).toHaveLength(1);
      expect(
        await owned.platform()
          .$queryRaw`SELECT * FROM plinth.find_identity_providers('https://idp.example', ${[tenant]})`,
      ).toHaveLength(1);
      const late = new Date(Date.now() + 3_600_000);
      expect(
        await owned.platform().$queryRaw`SELECT * FROM plinth.due_runs(${late}, ${late}, 10)`,
      ).toHaveLength(1);
      expect(await owned.platform().$queryRaw`SELECT * FROM plinth.due_interrupts(${late}, 10)`).toHaveLength(
        1,
      );
      expect(await owned.platform().$queryRaw`SELECT * FROM plinth.due_streams(${late}, 10)`).toHaveLength(2);
      expect(await column(migrator, 'SELECT count(*)::int FROM message')).toEqual([0]);
      expect((await migrator.query("UPDATE run SET status = 'failed'")).rowCount).toBe(0);
    } finally {
      await Promise.all([migrator.end(), owned.close()]);
      await admin.query(`DROP DATABASE ${name} WITH (FORCE)`);
      await admin.query(`DROP ROLE ${owner}`);
    }
  });

  function migrations(): string[] {
    const directory = fileURLToPath(new URL('../../../prisma/migrations/', import.meta.url));
    const folders = readdirSync(directory, { withFileTypes: true }).filter((entry) => entry.isDirectory());
    return folders
      .map(({ name }) => name)
      .sort()
      .map((name) => readFileSync(`${directory}${name}/migration.sql`, 'utf8'));
  }
});

describe('a transaction', () => {
  test('that lost a deadlock is run again', async () => {
    const attempts: string[] = [];
    const bothHoldOne = meetingOf(2);
    const lockBoth = (name: string, first: number, second: number) =>
      database.inTenant(acme.tenant, WHOLE_TENANT, async (tx) => {
        attempts.push(name);
        await tx.$queryRaw`SELECT 1 FROM (SELECT pg_advisory_xact_lock(${first}::bigint)) AS held`;
        await bothHoldOne();
        await tx.$queryRaw`SELECT 1 FROM (SELECT pg_advisory_xact_lock(${second}::bigint)) AS held`;
        return name;
      });
    expect(await Promise.all([lockBoth('one', 1, 2), lockBoth('two', 2, 1)])).toEqual(['one', 'two']);
    expect(attempts).toHaveLength(3);
  });

  test('that keeps failing so is given up, and any other error is not tried again', async () => {
    let attempts = 0;
    const failing = (state: string) =>
      database.inTenant(acme.tenant, WHOLE_TENANT, async (tx) => {
        attempts += 1;
        await tx.$executeRawUnsafe(`DO $$ BEGIN RAISE EXCEPTION 'no' USING ERRCODE = '${state}'; END $$`);
      });
    await expect(failing('40001')).rejects.toSatisfy((error) => sqlStateOf(error) === '40001');
    expect(attempts).toBe(4);
    await expect(failing('22012')).rejects.toSatisfy((error) => sqlStateOf(error) === '22012');
    expect(attempts).toBe(5);
  });

  /** Lets the first `size` callers go on together, and later ones at once. */
  function meetingOf(size: number): () => Promise<void> {
    let here = 0;
    let begin = () => {};
    const begun = new Promise<void>((resolve) => {
      begin = resolve;
    });
    return () => {
      here += 1;
      if (here >= size) begin();
      return begun;
    };
  }
});
