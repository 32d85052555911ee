/**
 * The SQL that leads from the migrations to `prisma/schema.prisma`.
 *
 * No shadow database: the migrations run for real in a scratch cluster that is thrown away, and the engine
 * compares what came out with the schema. What Prisma does not model (policies, functions, grants, partial
 * indexes) is not part of the comparison and is written by hand.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SetupProblem } from '../lib/problem.mjs';
import { startPostgres } from '../services/postgres.mjs';
import { ensureAppRole } from './app-role.mjs';
import { applyMigrations } from './apply-migrations.mjs';
import { noFilters, prismaDirectory, readMigrations, readSchema } from './migration-files.mjs';
import { engineMessage, withSchemaEngine } from './schema-engine.mjs';

/** Returns the SQL, or '' when the migrations already say what the schema says. */
export async function diffMigrationsToSchema({ directory = prismaDirectory, log }) {
  const scratch = mkdtempSync(join(tmpdir(), 'plinth-diff-'));
  const postgres = await startPostgres({ dataDir: scratch, log, durable: false });
  try {
    await ensureAppRole({ adminUrl: postgres.url, password: 'scratch' });
    await applyMigrations({
      adminUrl: postgres.url,
      log: () => {},
      migrationsList: readMigrations(join(directory, 'migrations')),
    });
    return await diffDatabaseToSchema({ url: postgres.url, directory });
  } finally {
    await postgres.stop();
    rmSync(scratch, { recursive: true, force: true });
  }
}

async function diffDatabaseToSchema({ url, directory }) {
  const schema = readSchema(directory);
  const request = {
    from: { tag: 'schemaDatasource', files: [schema], configDir: directory },
    to: { tag: 'schemaDatamodel', files: [schema] },
    script: true,
    exitCode: null,
    shadowDatabaseUrl: null,
    filters: noFilters,
  };
  const { stdout } = await withSchemaEngine({ url, datamodels: [[schema.path, schema.content]] }, (engine) =>
    engine.diff(request).catch((error) => {
      throw new SetupProblem(`prisma/schema.prisma could not be compared: ${engineMessage(error)}`);
    }),
  );
  return stdout.includes('This is an empty migration') ? '' : stdout;
}
