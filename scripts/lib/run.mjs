/** Runs a tool of this workspace to its end. */
import { spawn } from 'node:child_process';
import { delimiter, join } from 'node:path';
import { root } from './paths.mjs';

/**
 * Resolves with `{ code, output }`. `show: true` lets the tool write to the terminal (`output` is then '').
 * Tools installed in the root's node_modules are found by their name.
 */
export function run(file, args, { env = {}, cwd = root, show = false } = {}) {
  const path = [join(root, 'node_modules/.bin'), process.env.PATH].join(delimiter);
  const child = spawn(file, args, {
    cwd,
    env: { ...process.env, PATH: path, ...env },
    stdio: show ? 'inherit' : ['ignore', 'pipe', 'pipe'],
    shell: process.platform === 'win32',
  });
  const chunks = [];
  child.stdout?.on('data', (chunk) => chunks.push(chunk));
  child.stderr?.on('data', (chunk) => chunks.push(chunk));
  return new Promise((resolve) => {
    const done = (code) => resolve({ code, output: Buffer.concat(chunks).toString('utf8') });
    child.once('error', (error) => {
      chunks.push(Buffer.from(`${file}: ${error.message}\n`));
      done(1);
    });
    child.once('close', (code, signal) => done(code ?? (signal === 'SIGINT' ? 130 : 1)));
  });
}
