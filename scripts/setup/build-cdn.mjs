/** Builds what a CDN serves, when the SDK's sources have changed, and says how large it is. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, posix, relative } from 'node:path';
import { gzipSync } from 'node:zlib';
import { root } from '../lib/paths.mjs';
import { SetupProblem } from '../lib/problem.mjs';
import { run } from '../lib/run.mjs';
import { fingerprintOf, isFresh, writeStamp } from '../lib/stamps.mjs';

const OUTPUT = join(root, 'packages/react/dist/cdn');
const SOURCES = [
  'packages/react/cdn',
  'packages/protocol/src',
  'packages/client/src',
  'packages/react/src',
  'pnpm-lock.yaml',
];

/** Bytes of each file of the CDN, compressed as a CDN sends it. */
export function cdnSizes() {
  return Object.fromEntries(
    cdnFiles().map((name) => [name, gzipSync(readFileSync(join(OUTPUT, name)), { level: 9 }).length]),
  );
}

/** Paths below the folder of the CDN. */
const cdnFiles = () =>
  readdirSync(OUTPUT, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(OUTPUT, join(entry.parentPath, entry.name)).replaceAll('\\', '/'))
    .sort();

const IMPORT = /(?:^|[;}\n])\s*import\s*(?:[^'"()]*?from\s*)?["'](\.[^"']+)["']/g;

/** A module of the CDN and all that it loads at once. */
export function cdnModules(name, found = new Set()) {
  if (found.has(name)) return found;
  found.add(name);
  for (const [, path] of readFileSync(join(OUTPUT, name), 'utf8').matchAll(IMPORT))
    cdnModules(posix.join(posix.dirname(name), path), found);
  return found;
}

export async function buildCdn({ log }) {
  const fingerprint = fingerprintOf(SOURCES);
  if (existsSync(join(OUTPUT, 'plinth.js')) && isFresh('cdn', fingerprint)) return;
  log('Building the files of the CDN');
  // The first one empties the folder.
  for (const mode of ['global', 'module', 'workspace']) {
    const args = ['build', '--config', 'cdn/vite.config.ts', '--mode', mode, '--logLevel', 'warn'];
    const { code, output } = await run('vite', args, { cwd: join(root, 'packages/react') });
    if (code !== 0) throw new SetupProblem(`vite build of the CDN's ${mode} failed:\n${output.trim()}`);
  }
  writeStamp('cdn', fingerprint);
  const sizes = Object.entries(cdnSizes())
    .filter(([name]) => !name.includes('/'))
    .map(([name, bytes]) => `${name} ${(bytes / 1000).toFixed(1)} kB`);
  log(`Files of the CDN, gzip: ${sizes.join(', ')}`);
}
