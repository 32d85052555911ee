/**
 * Finds a pnpm. The lock file is pnpm's, but a fresh machine has only Node and npm: then npm fetches the
 * version that package.json names, without installing it anywhere.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../lib/paths.mjs';
import { run } from '../lib/run.mjs';

/** `[file, ...leading arguments]` of a pnpm with the right major version. */
export async function findPnpm() {
  const { packageManager } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const version = packageManager.split('@')[1];
  const onPath = await run('pnpm', ['--version'], { env: { COREPACK_ENABLE_DOWNLOAD_PROMPT: '0' } });
  if (onPath.code === 0 && onPath.output.trim().split('.')[0] === version.split('.')[0]) return ['pnpm'];
  return ['npx', '--yes', `pnpm@${version}`];
}
