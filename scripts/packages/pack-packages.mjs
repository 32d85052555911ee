/** Packs the packages of the SDK as `npm publish` would. Needs a build. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../lib/paths.mjs';
import { SetupProblem } from '../lib/problem.mjs';
import { run } from '../lib/run.mjs';
import { PUBLISHED, stagePackage } from './stage-package.mjs';

const STAGE = join(root, 'node_modules/.plinth/packages');

/**
 * Returns the packages in the order in which they depend on each other: name, the folder that was packed, the tarball, and
 * the paths of the files in it.
 */
export async function packPackages() {
  const packed = [];
  for (const name of PUBLISHED) {
    const folder = join(STAGE, name);
    stagePackage(name, folder);
    mkdirSync(STAGE, { recursive: true });
    const { code, output } = await run('npm', ['pack', '--json', '--pack-destination', STAGE], {
      cwd: folder,
    });
    if (code !== 0) throw new SetupProblem(`npm pack of ${name} failed:\n${output.trim()}`);
    const [{ filename, files }] = JSON.parse(output.slice(output.indexOf('[')));
    packed.push({ name, folder, tarball: join(STAGE, filename), files: files.map(({ path }) => path) });
  }
  return packed;
}
