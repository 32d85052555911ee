import { execFile } from 'node:child_process';
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ROOT } from '@plinth/testkit/system';
import { packPackages } from '../../scripts/packages/pack-packages.mjs';

const run = promisify(execFile);

/** A stranger's project that has our packages from their tarballs and everything else from the registry. */
export interface Project {
  readonly folder: string;
  readonly packed: Awaited<ReturnType<typeof packPackages>>;
  /** Runs a tool of the project. Rejects with all that it said. */
  tool(name: string, ...args: string[]): Promise<string>;
  node(...args: string[]): Promise<string>;
  remove(): Promise<void>;
}

/** Milliseconds for npm to install, on a machine without a cache. */
const INSTALL_MS = 240_000;

const versionsOf = async (path: string): Promise<Record<string, string>> => {
  const { dependencies, devDependencies } = JSON.parse(await readFile(`${ROOT}${path}`, 'utf8')) as Record<
    string,
    Record<string, string>
  >;
  return { ...dependencies, ...devDependencies };
};

/** Copies `test/packages/app` to a folder outside of this workspace and installs it with npm. */
export async function installPackages(): Promise<Project> {
  const folder = await mkdtemp(join(tmpdir(), 'plinth-packages-'));
  const packed = await packPackages();
  await cp(`${ROOT}test/packages/app`, folder, { recursive: true });
  const [root, react] = await Promise.all([
    versionsOf('package.json'),
    versionsOf('packages/react/package.json'),
  ]);
  const dependencies = {
    ...Object.fromEntries(packed.map(({ name, tarball }) => [`@plinth/${name}`, `file:${tarball}`])),
    react: react.react,
    'react-dom': react['react-dom'],
    '@types/react': react['@types/react'],
    '@types/react-dom': react['@types/react-dom'],
    '@types/node': root['@types/node'],
    typescript: root.typescript,
    vite: root.vite,
  };
  await writeFile(
    join(folder, 'package.json'),
    JSON.stringify({ private: true, type: 'module', dependencies }),
  );
  const in_ = { cwd: folder, timeout: INSTALL_MS };
  const options = ['--no-audit', '--no-fund', '--prefer-offline', '--ignore-scripts'];
  await run('npm', ['install', ...options], in_);
  const told = (error: { stdout?: string; stderr?: string }) => {
    throw new Error(`${error.stdout ?? ''}\n${error.stderr ?? String(error)}`);
  };
  return {
    folder,
    packed,
    tool: (name, ...args) =>
      run(join(folder, 'node_modules/.bin', name), args, in_).then(({ stdout }) => stdout, told),
    node: (...args) => run(process.execPath, args, in_).then(({ stdout }) => stdout, told),
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}
