/**
 * Facts about other processes of this machine.
 *
 * A process id alone is not an identity: after a crash or a reboot the number belongs to someone else. So a
 * recorded process is an id together with its start time, and it counts as alive only when both agree.
 */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

/** Runs; a process that ended and was not collected by its parent does not count. */
export function isAlive(pid) {
  return isNumberTaken(pid) && !isZombie(pid);
}

/** Whether the number belongs to any process, even one that has ended and was not collected yet. */
export function isNumberTaken(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}

/** `{ pid, startedAt }`: enough to recognise this very process later. */
export function identify(pid) {
  return { pid, startedAt: startTime(pid) };
}

export function isSameProcess(recorded) {
  return Boolean(recorded?.pid) && isAlive(recorded.pid) && startTime(recorded.pid) === recorded.startedAt;
}

/** The command line of a process, or '' when it cannot be read. */
export function commandLine(pid) {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
  } catch {
    return ps(pid, 'command=');
  }
}

/** Sends `signal`, waits for the end, and after `patienceMs` sends `lastResort`. */
export async function endProcess(pid, { signal, patienceMs, lastResort }) {
  send(pid, signal);
  if (await hasEnded(pid, patienceMs)) return;
  send(pid, lastResort);
  await hasEnded(pid, 5_000);
}

async function hasEnded(pid, patienceMs) {
  const deadline = Date.now() + patienceMs;
  while (isAlive(pid)) {
    if (Date.now() > deadline) return false;
    await sleep(20);
  }
  return true;
}

function send(pid, signal) {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if (error.code !== 'ESRCH') throw error;
  }
}

function startTime(pid) {
  return statFields(pid)?.[19] ?? ps(pid, 'lstart=');
}

/** Ended entirely: the main thread may end before others that still hold files and ports. */
function isZombie(pid) {
  const fields = statFields(pid);
  return fields?.[0] === 'Z' && Number(fields[17]) <= 1;
}

/** The fields of /proc/<pid>/stat after the command name, which may itself hold spaces and brackets. */
function statFields(pid) {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  } catch {
    return undefined;
  }
}

function ps(pid, column) {
  return spawnSync('ps', ['-p', String(pid), '-o', column], { encoding: 'utf8' }).stdout?.trim() ?? '';
}
