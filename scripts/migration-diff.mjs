/**
 * `node scripts/migration-diff.mjs <name>`: writes a new migration folder with the SQL that leads from the
 * present migrations to prisma/schema.prisma. Read it and add the policies, grants and functions by hand.
 * `--print` only shows the SQL.
 */
import { runAsCommand } from './lib/command.mjs';

runAsCommand(import.meta, async (args) => {
  const { SetupProblem } = await import('./lib/problem.mjs');
  const printOnly = args.includes('--print');
  const name = args.find((argument) => !argument.startsWith('-'));
  if (!printOnly && !/^[a-z0-9_]+$/.test(name ?? '')) {
    throw new SetupProblem('Usage: node scripts/migration-diff.mjs <name in lower_case> (or --print)');
  }
  const { ensureInstalled } = await import('./setup/install.mjs');
  await ensureInstalled({ log: console.error });
  const { diffMigrationsToSchema } = await import('./database/diff.mjs');
  const sql = await diffMigrationsToSchema({ log: () => {} });
  if (!sql) console.log('The migrations already say what prisma/schema.prisma says.');
  else if (printOnly) console.log(sql);
  else {
    const { writeMigration } = await import('./database/write-migration.mjs');
    console.log(`Wrote ${writeMigration(name, sql)}`);
  }
});
