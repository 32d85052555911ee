/**
 * Who owns a service's data directory.
 *
 * Promise: two live owners never share one directory. A claim names the process that made it; the claim of a
 * process that is gone, however it went, does not count.
 */
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { SetupProblem } from '../lib/problem.mjs';
import { endProcess, identify, isSameProcess } from '../lib/processes.mjs';
import { writeSecret } from '../lib/secret-file.mjs';

export function claimService(dataDir, service) {
  mkdirSync(dataDir, { recursive: true });
  const path = join(dataDir, 'claim.json');
  const previous = readClaim(path);
  if (isSameProcess(previous?.owner)) {
    throw new SetupProblem(
      `The ${service} in ${dataDir} is in use by process ${previous.owner.pid}.\n` +
        '  Stop that one first, or set PLINTH_DATA_DIR to another directory.',
    );
  }
  const owner = identify(process.pid);
  writeSecret(path, JSON.stringify({ owner }));
  return {
    record(pid) {
      if (pid) writeSecret(path, JSON.stringify({ owner, service: identify(pid) }));
    },
    release: () => rmSync(path, { force: true }),
  };
}

/** Ends the service below `dataDir` when its owner is gone. Returns whether the directory is now unused. */
export async function endAbandoned(dataDir) {
  const claim = readClaim(join(dataDir, 'claim.json'));
  if (isSameProcess(claim?.owner)) return false;
  if (isSameProcess(claim?.service)) {
    await endProcess(claim.service.pid, { signal: 'SIGINT', patienceMs: 10_000, lastResort: 'SIGKILL' });
  }
  return true;
}

function readClaim(path) {
  if (!existsSync(path)) return undefined;
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    return undefined;
  }
}
