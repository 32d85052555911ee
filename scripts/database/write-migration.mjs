/** Puts SQL into a new migration folder, named like Prisma names them: a timestamp, then what it does. */
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { root } from '../lib/paths.mjs';
import { prismaDirectory } from './migration-files.mjs';

export function writeMigration(name, sql, directory = join(prismaDirectory, 'migrations')) {
  const timestamp = new Date().toISOString().replaceAll(/\D/g, '').slice(0, 14);
  const folder = join(directory, `${timestamp}_${name}`);
  mkdirSync(folder, { recursive: true });
  const lockfile = join(directory, 'migration_lock.toml');
  if (!existsSync(lockfile)) writeFileSync(lockfile, 'provider = "postgresql"\n');
  writeFileSync(join(folder, 'migration.sql'), sql);
  return relative(root, join(folder, 'migration.sql'));
}
