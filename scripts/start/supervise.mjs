/**
 * Keeps one child process running.
 *
 * A child that ends by itself is started again, after a pause that doubles. One that ends five times soon
 * after its start has a reason that starting again does not mend: then `onGiveUp` is called. Children live in
 * process groups of their own, so that Ctrl-C reaches them in our order and not all at once.
 */
import { spawn } from 'node:child_process';
import { endProcess } from '../lib/processes.mjs';
import { printLines } from './log-lines.mjs';

const QUICK_DEATH_MS = 10_000;
const QUICK_DEATHS_ALLOWED = 5;
const FIRST_PAUSE_MS = 500;
const STOP_PATIENCE_MS = 10_000;

/** @param {{ name: string, file: string, args: string[], env: object, cwd: string }} what */
export function supervise(what, { onChange, onGiveUp, log, firstPauseMs = FIRST_PAUSE_MS }) {
  const state = { child: undefined, exited: undefined, timer: undefined, stopping: false, quickDeaths: 0 };

  function launch() {
    const startedAt = Date.now();
    const child = spawn(what.file, what.args, {
      cwd: what.cwd,
      env: what.env,
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    state.child = child;
    state.exited = new Promise((resolve) => child.once('exit', resolve));
    printLines(what.name, child);
    child.once('error', (error) => log(`${what.name} cannot be started: ${error.message}`));
    child.once('close', (code, signal) => ended(code, signal, Date.now() - startedAt));
    onChange();
  }

  function ended(code, signal, livedMs) {
    state.child = undefined;
    if (state.stopping) return;
    state.quickDeaths = livedMs < QUICK_DEATH_MS ? state.quickDeaths + 1 : 1;
    const how = signal ? `was ended by ${signal}` : `ended with code ${code}`;
    if (state.quickDeaths >= QUICK_DEATHS_ALLOWED) {
      onGiveUp(
        `${what.name} ${how}, ${QUICK_DEATHS_ALLOWED} times soon after its start. Its last lines say why.`,
      );
      return;
    }
    const pauseMs = firstPauseMs * 2 ** (state.quickDeaths - 1);
    log(`${what.name} ${how}; starting it again in ${pauseMs} ms`);
    state.timer = setTimeout(launch, pauseMs);
  }

  launch();
  return {
    name: what.name,
    pid: () => state.child?.pid,
    async stop() {
      state.stopping = true;
      clearTimeout(state.timer);
      const pid = state.child?.pid;
      if (!pid) return;
      await endProcess(pid, { signal: 'SIGTERM', patienceMs: STOP_PATIENCE_MS, lastResort: 'SIGKILL' });
      // The system knows of its end before this process is told.
      await state.exited;
      state.child = undefined;
    },
    killNow() {
      state.stopping = true;
      state.child?.kill('SIGKILL');
    },
  };
}
