/** Installs the dependencies, only when a manifest or the lock file changed since the last time. */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../lib/paths.mjs';
import { SetupProblem } from '../lib/problem.mjs';
import { run } from '../lib/run.mjs';
import { fingerprintOf, isFresh, writeStamp } from '../lib/stamps.mjs';
import { findPnpm } from './pnpm.mjs';

const STAMP = 'install';

export async function ensureInstalled({ log }) {
  const fingerprint = fingerprintOf(manifests());
  if (existsSync(join(root, 'node_modules/.pnpm')) && isFresh(STAMP, fingerprint)) return;
  log('Installing dependencies (a minute or two the first time)');
  const [pnpm, ...leading] = await findPnpm();
  const frozen = process.env.CI ? ['--frozen-lockfile'] : ['--prefer-frozen-lockfile'];
  // Without a terminal pnpm would rather give up than replace a node_modules that another version made.
  const unattended = ['--config.confirmModulesPurge=false', '--reporter=append-only'];
  const { code } = await run(pnpm, [...leading, 'install', ...frozen, ...unattended], { show: true });
  if (code !== 0) {
    throw new SetupProblem(
      'The dependencies could not be installed; pnpm said why above.\n' +
        '  Most often the package registry is out of reach: check the network, then run the same command again.',
    );
  }
  // Read again: an install that is not frozen may have written the lock file.
  writeStamp(STAMP, fingerprintOf(manifests()));
}

function manifests() {
  const workspaces = ['apps', 'packages'].flatMap((folder) =>
    readdirSync(join(root, folder)).map((name) => `${folder}/${name}/package.json`),
  );
  return ['package.json', 'pnpm-lock.yaml', 'pnpm-workspace.yaml', '.npmrc', ...workspaces];
}
