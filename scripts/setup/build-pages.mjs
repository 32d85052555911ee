/** Builds the pages (React, bundled by Vite), each only when its own sources or those of the SDK changed. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../lib/paths.mjs';
import { SetupProblem } from '../lib/problem.mjs';
import { run } from '../lib/run.mjs';
import { fingerprintOf, isFresh, writeStamp } from '../lib/stamps.mjs';
import { buildCdn } from './build-cdn.mjs';

const PAGES = [{ app: 'apps/playground', output: 'apps/playground/dist/web/index.html' }];
const SDK = [
  'packages/protocol/src',
  'packages/client/src',
  'packages/react/src',
  'packages/react/cdn',
  'pnpm-lock.yaml',
];

export async function buildPages({ log }) {
  // First: the playground serves it.
  await buildCdn({ log });
  for (const { app, output } of PAGES) {
    if (!existsSync(join(root, app, 'vite.config.ts'))) continue;
    const stamp = `page-${app.replace('/', '-')}`;
    const fingerprint = fingerprintOf([app, ...SDK]);
    if (existsSync(join(root, output)) && isFresh(stamp, fingerprint)) continue;
    log(`Building the page of ${app}`);
    const built = await run('vite', ['build', '--logLevel', 'warn'], { cwd: join(root, app) });
    if (built.code !== 0) throw new SetupProblem(`vite build failed in ${app}:\n${built.output.trim()}`);
    writeStamp(stamp, fingerprint);
  }
}
