/** The migrations of `prisma/migrations`, read in the form the schema engine wants. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../lib/paths.mjs';

export const prismaDirectory = join(root, 'prisma');

/** Every migration counts, Prisma knows no external ones here. */
export const noFilters = { externalTables: [], externalEnums: [] };

export function readMigrations(directory = join(prismaDirectory, 'migrations')) {
  const names = existsSync(directory)
    ? readdirSync(directory, { withFileTypes: true })
        .filter((entry) => entry.isDirectory() && existsSync(join(directory, entry.name, 'migration.sql')))
        .map((entry) => entry.name)
        .sort()
    : [];
  const lockfile = join(directory, 'migration_lock.toml');
  return {
    baseDir: directory,
    lockfile: {
      path: 'migration_lock.toml',
      content: existsSync(lockfile) ? readFileSync(lockfile, 'utf8') : null,
    },
    shadowDbInitScript: '',
    migrationDirectories: names.map((name) => ({
      path: name,
      migrationFile: {
        path: 'migration.sql',
        content: { tag: 'ok', value: readFileSync(join(directory, name, 'migration.sql'), 'utf8') },
      },
    })),
  };
}

/** `prisma/schema.prisma` as the engine's "schema container". */
export function readSchema(directory = prismaDirectory) {
  const path = join(directory, 'schema.prisma');
  return { path, content: readFileSync(path, 'utf8') };
}
