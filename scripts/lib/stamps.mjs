/**
 * Stamps: "this was made from exactly these files". They live in node_modules, so a fresh install forgets
 * them and everything is made anew.
 */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { root } from './paths.mjs';

const stampPath = (name) => join(root, 'node_modules/.plinth', name);

export function isFresh(name, fingerprint) {
  return existsSync(stampPath(name)) && readFileSync(stampPath(name), 'utf8') === fingerprint;
}

export function writeStamp(name, fingerprint) {
  mkdirSync(dirname(stampPath(name)), { recursive: true });
  writeFileSync(stampPath(name), fingerprint);
}

/** A hash of names and contents. Paths are relative to the root; folders count with all they hold. */
export function fingerprintOf(paths) {
  const hash = createHash('sha256').update(process.versions.modules);
  for (const path of paths.flatMap(filesBelow).sort()) {
    hash.update(`\n${path}\n`).update(readFileSync(join(root, path)));
  }
  return hash.digest('hex');
}

const NOT_SOURCES = new Set(['node_modules', 'dist', 'generated']);

function filesBelow(path) {
  const absolute = join(root, path);
  if (!existsSync(absolute)) return [];
  if (statSync(absolute).isFile()) return [path];
  return readdirSync(absolute)
    .filter((name) => !NOT_SOURCES.has(name))
    .flatMap((name) => filesBelow(`${path}/${name}`));
}
