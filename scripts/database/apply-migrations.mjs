/**
 * Brings a database up to the migrations of this checkout, and records each in `_prisma_migrations`.
 *
 * Promise: any number of processes may do this at the same time, one of them works and the others find it
 * done. A migration runs as one transaction; a failing one leaves nothing behind and may be mended and run
 * again.
 */
import { SetupProblem } from '../lib/problem.mjs';
import { withConnection } from './connection.mjs';
import { noFilters, readMigrations } from './migration-files.mjs';
import { engineMessage, withSchemaEngine } from './schema-engine.mjs';

const MIGRATION_LOCK = 7_215_002;

export async function applyMigrations({ adminUrl, log, migrationsList = readMigrations() }) {
  return withConnection(adminUrl, async (lock) => {
    await lock.query('SELECT pg_advisory_lock($1)', [MIGRATION_LOCK]);
    return withSchemaEngine({ url: adminUrl }, (engine) => apply(engine, { log, migrationsList }));
  });
}

async function apply(engine, { log, migrationsList }) {
  const input = { migrationsList, filters: noFilters };
  const { editedMigrationNames } = await engine.diagnoseMigrationHistory({
    ...input,
    optInToShadowDatabase: false,
  });
  if (editedMigrationNames.length > 0) {
    log(
      `Warning: changed after being applied here, the change has no effect: ${editedMigrationNames.join(', ')}`,
    );
  }
  try {
    const { appliedMigrationNames } = await engine.applyMigrations(input);
    for (const name of appliedMigrationNames) log(`Applied migration ${name}`);
    return appliedMigrationNames;
  } catch (error) {
    throw await explain(engine, migrationsList, error);
  }
}

async function explain(engine, migrationsList, error) {
  const [failed] = (
    await engine.diagnoseMigrationHistory({
      migrationsList,
      filters: noFilters,
      optInToShadowDatabase: false,
    })
  ).failedMigrationNames;
  if (!failed) return new SetupProblem(`The migrations could not be applied: ${engineMessage(error)}`);

  const sql = migrationsList.migrationDirectories.find(({ path }) => path === failed)?.migrationFile.content
    .value;
  const endsItsOwnTransactions = /\b(COMMIT|CONCURRENTLY)\b/i.test(sql ?? 'COMMIT');
  if (!endsItsOwnTransactions) await engine.markMigrationRolledBack({ migrationName: failed });
  const next = endsItsOwnTransactions
    ? 'Parts of it may have been applied: see "prisma migrate resolve".'
    : 'Nothing of it was kept. Mend it and run this again.';
  return new SetupProblem(`Migration ${failed} failed: ${engineMessage(error)}\n  ${next}`);
}
