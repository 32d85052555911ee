/** A workspace package as it is published: built files, and a package.json that means the same outside of this workspace. */
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { root } from '../lib/paths.mjs';

/** In the order in which they depend on each other. */
export const PUBLISHED = ['protocol', 'client', 'react'];

const read = (path) => JSON.parse(readFileSync(join(root, path), 'utf8'));
const versionOf = (name) => read(`packages/${name.replace('@plinth/', '')}/package.json`).version;

/** Without the condition that only this workspace knows, whose files are not published; styles are files of the build. */
function publishedExports(exports) {
  const publish = (target) => {
    if (typeof target === 'string') return target.replace('./src/', './dist/');
    const { '@plinth/source': _source, ...rest } = target;
    return rest;
  };
  return Object.fromEntries(Object.entries(exports).map(([path, target]) => [path, publish(target)]));
}

function publishedDependencies(dependencies = {}) {
  return Object.fromEntries(
    Object.entries(dependencies).map(([name, version]) => [
      name,
      version.startsWith('workspace:') ? versionOf(name) : version,
    ]),
  );
}

/** What stands in the package.json that is published. Pure, apart from reading versions. */
export function publishedManifest(manifest) {
  const { private: _private, devDependencies: _devDependencies, exports, dependencies, ...rest } = manifest;
  return {
    ...rest,
    exports: publishedExports(exports),
    dependencies: publishedDependencies(dependencies),
    publishConfig: { access: 'public' },
  };
}

const isPublished = (path) => !/\.(map|tsbuildinfo)$/.test(path);

/** Puts the package into `folder`, which `npm pack` and `npm publish` then take as it is. */
export function stagePackage(name, folder) {
  const from = join(root, 'packages', name);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const filter = (source) => isPublished(source);
  cpSync(join(from, 'dist'), join(folder, 'dist'), { recursive: true, filter });
  const isStyle = (source) => !/\.[a-z]+$/.test(relative(from, source)) || source.endsWith('.css');
  if (name === 'react') cpSync(join(from, 'src'), join(folder, 'dist'), { recursive: true, filter: isStyle });
  cpSync(join(from, 'README.md'), join(folder, 'README.md'));
  cpSync(join(root, 'LICENSE'), join(folder, 'LICENSE'));
  const manifest = publishedManifest(read(`packages/${name}/package.json`));
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
}
