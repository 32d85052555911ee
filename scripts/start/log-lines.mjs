/**
 * The output of the child processes, one readable line each, with the name of the process in front. JSON log
 * lines become "level message field=value".
 */
import { createInterface } from 'node:readline';

const LEVELS = { 10: 'trace', 20: 'debug', 30: 'info', 40: 'warn', 50: 'error', 60: 'fatal' };
const COLOURS = [36, 33, 35, 32, 34];
const USELESS = new Set(['level', 'time', 'msg', 'pid', 'hostname', 'name', 'service', 'v']);
const NAME_WIDTH = 10;
let named = 0;

/** Prints what the child's two streams say from now on. */
export function printLines(name, child, { print = console.log, colour = process.stdout.isTTY } = {}) {
  const label = name.padEnd(NAME_WIDTH);
  const prefix = colour ? `\u001b[${COLOURS[named++ % COLOURS.length]}m${label}│\u001b[0m` : `${label}│`;
  for (const stream of [child.stdout, child.stderr]) {
    createInterface({ input: stream }).on('line', (line) => print(`${prefix} ${readable(line)}`));
  }
}

export function readable(line) {
  if (!line.startsWith('{')) return line;
  try {
    const { level, msg, err, ...rest } = JSON.parse(line);
    const fields = Object.entries(rest)
      .filter(([key]) => !USELESS.has(key))
      .map(([key, value]) => `${key}=${typeof value === 'string' ? value : JSON.stringify(value)}`);
    const stack = err?.stack ? [`\n${err.stack}`] : [];
    return [LEVELS[level] ?? level, msg, ...fields, ...stack].filter(Boolean).join(' ');
  } catch {
    return line;
  }
}
