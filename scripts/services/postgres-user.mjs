/**
 * Whom Postgres runs as. It refuses to run as root, so root lends it the user `postgres`.
 *
 * That user may be unable to enter the checkout (a clone below /root, mode 700). `setpriv`, part of every
 * Debian, then passes on the one capability that opens those doors: nothing is copied, no mode is changed.
 */
import { spawnSync } from 'node:child_process';
import { chownSync } from 'node:fs';
import { SetupProblem } from '../lib/problem.mjs';

/**
 * How to run `binary` on files below `directory`: `command(file, args)` gives what to spawn, `own(path)`
 * hands a path over to the user that will work on it.
 */
export function postgresUser(binary, directory) {
  if (process.getuid?.() !== 0) {
    return { own() {}, command: (file, args) => ({ file, args, options: {} }) };
  }
  const { uid, gid } = accountIds() ?? createAccount();
  const own = (path) => chownSync(path, uid, gid);
  own(directory);

  const plain = (file, args) => ({ file, args, options: { uid, gid } });
  const lent = (file, args) => ({
    file: 'setpriv',
    args: [
      `--reuid=${uid}`,
      `--regid=${gid}`,
      '--clear-groups',
      // Postgres asks with access(), which ignores capabilities unless this bit is set.
      '--securebits=+no_setuid_fixup',
      '--inh-caps=+dac_override',
      '--ambient-caps=+dac_override',
      file,
      ...args,
    ],
    options: {},
  });
  const command = [plain, lent].find((way) => canWork(way, binary, directory));
  if (command) return { own, command };
  throw new SetupProblem(
    `Postgres does not run as root, and the user "postgres" cannot reach ${directory}.\n` +
      '  Put the checkout where other users may enter (not below a directory with mode 700),\n' +
      '  or run as a normal user, or set DATABASE_URL to a Postgres of your own.',
  );
}

function canWork(way, binary, directory) {
  return [way(binary, ['--version']), way('ls', [directory])].every(
    ({ file, args, options }) =>
      spawnSync(file, args, { ...options, cwd: '/', stdio: 'ignore' }).status === 0,
  );
}

function accountIds() {
  const [uid, gid] = ['-u', '-g'].map((flag) => spawnSync('id', [flag, 'postgres'], { encoding: 'utf8' }));
  return uid.status === 0 ? { uid: Number(uid.stdout), gid: Number(gid.stdout) } : undefined;
}

function createAccount() {
  spawnSync('groupadd', ['--system', 'postgres'], { stdio: 'ignore' });
  spawnSync('useradd', ['--system', '-g', 'postgres', '-M', 'postgres'], { stdio: 'ignore' });
  const ids = accountIds();
  if (ids) return ids;
  throw new SetupProblem(
    'Postgres does not run as root, and a user "postgres" could not be created.\n' +
      '  Run as a normal user, or set DATABASE_URL to a Postgres of your own.',
  );
}
