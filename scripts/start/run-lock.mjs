/**
 * One `npm start` a data directory and role.
 *
 * The lock names its owner and the processes it started. A lock whose owner is gone is taken over: what it
 * left running is ended first, so that ports and data are free again.
 */
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { SetupProblem } from '../lib/problem.mjs';
import { endProcess, identify, isSameProcess } from '../lib/processes.mjs';
import { writeSecret } from '../lib/secret-file.mjs';

export async function takeRunLock({ dataDir, role, port, log }) {
  mkdirSync(dataDir, { recursive: true });
  const path = join(dataDir, `run-${role}.json`);
  const previous = read(path);
  if (isSameProcess(previous?.owner)) {
    throw new SetupProblem(
      `Plinth is already running on ${dataDir} (process ${previous.owner.pid}, port ${previous.port}).\n` +
        '  Stop it with Ctrl-C where it runs, or set PLINTH_DATA_DIR and PORT to run a second one.',
    );
  }
  const orphans = (previous?.children ?? []).filter(isSameProcess);
  if (orphans.length > 0) log(`Ending ${orphans.length} processes that an earlier run left behind`);
  await Promise.all(
    orphans.map(({ pid }) =>
      endProcess(pid, { signal: 'SIGTERM', patienceMs: 10_000, lastResort: 'SIGKILL' }),
    ),
  );

  const owner = identify(process.pid);
  const write = (children) => writeSecret(path, JSON.stringify({ owner, port, children }));
  write([]);
  return {
    recordChildren: (pids) => write(pids.map(identify)),
    release: () => rmSync(path, { force: true }),
  };
}

function read(path) {
  if (!existsSync(path)) return undefined;
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    return undefined;
  }
}
