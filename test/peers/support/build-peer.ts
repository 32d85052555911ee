import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cp, mkdir, mkdtemp, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ROOT } from '@plinth/testkit/system';

const run = promisify(execFile);

/** Milliseconds for npm to install or for a page to be built, on a machine without a cache. */
const STEP_MS = 300_000;
const VITE = join(ROOT, 'node_modules/vite/bin/vite.js');
const CACHE = join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'plinth', 'peers');

export interface BuiltPeer {
  /** To be served. */
  readonly folder: string;
  remove(): Promise<void>;
}

/**
 * The page of a client that is not ours, built. It is installed from the registry outside of this workspace, so that it gets
 * its own versions of everything, and kept: from the second time on, nothing is asked of the network.
 *
 * @param name a folder in `test/peers`
 */
export async function buildPeer(name: string): Promise<BuiltPeer> {
  const source = join(ROOT, 'test/peers', name);
  const installed = await installPeer(name, source);
  // Inside of the installed folder, since that is where imports are looked up.
  const page = await mkdtemp(join(installed, 'page-'));
  const remove = () => rm(page, { recursive: true, force: true });
  try {
    for (const file of ['index.html', 'src'])
      await cp(join(source, file), join(page, file), { recursive: true });
    await told(process.execPath, [VITE, 'build', page, '--logLevel', 'error'], installed);
  } catch (error) {
    await remove();
    throw error;
  }
  return { folder: join(page, 'dist'), remove };
}

/** A folder of its own for each set of versions. It gets its name once all is in it: a broken install is made again. */
async function installPeer(name: string, source: string): Promise<string> {
  const files = (await readdir(source)).filter((file) => file.startsWith('package')).sort();
  const hash = createHash('sha256').update(process.versions.modules);
  for (const file of files) hash.update(await readFile(join(source, file)));
  const folder = join(CACHE, `${name}-${hash.digest('hex').slice(0, 16)}`);
  if (await stat(folder).catch(() => null)) return folder;
  const making = `${folder}.${process.pid}`;
  await mkdir(making, { recursive: true });
  for (const file of files) await cp(join(source, file), join(making, file));
  const command = files.includes('package-lock.json') ? 'ci' : 'install';
  await told('npm', [command, '--no-audit', '--no-fund', '--prefer-offline', '--ignore-scripts'], making);
  await rename(making, folder).catch(async (error: NodeJS.ErrnoException) => {
    // Somebody else was faster: theirs is as good.
    await rm(making, { recursive: true, force: true });
    if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error;
  });
  return folder;
}

/** Runs a program to its end. Rejects with all that it said. */
async function told(program: string, args: string[], folder: string): Promise<void> {
  await run(program, args, { cwd: folder, timeout: STEP_MS }).catch((error) => {
    throw new Error(`${error.stdout ?? ''}\n${error.stderr || String(error)}`);
  });
}
