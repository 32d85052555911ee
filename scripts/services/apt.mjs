/** Debian packages, where this process may install them. */
import { existsSync } from 'node:fs';
import { run } from '../lib/run.mjs';

export function mayUseApt() {
  return process.getuid?.() === 0 && existsSync('/etc/debian_version') && existsSync('/usr/bin/apt-get');
}

/**
 * Installs packages without starting any service of theirs. Returns `{ ok, output }`; the package lists are
 * only fetched when the install does not work without.
 */
export async function aptInstall(packages) {
  const install = () =>
    run('apt-get', ['install', '-y', '--no-install-recommends', ...packages], {
      env: { DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' },
    });
  let result = await install();
  if (result.code !== 0) {
    await run('apt-get', ['update']);
    result = await install();
  }
  return { ok: result.code === 0, output: result.output.trim().split('\n').slice(-5).join('\n') };
}
