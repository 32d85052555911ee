import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/**
 * Below the ports from which systems serve outgoing connections (32768 up on Linux): one of those may be taken by any
 * connection of anybody between this look and the use, and again while a process is down that wants its port back.
 */
const [FROM, TO] = [20_000, 32_000];
const ATTEMPTS = 50;

/** A port of the loopback interface that nobody listens on now. */
export async function freePort(): Promise<number> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const port = randomInt(FROM, TO);
    if (await isFree(port)) return port;
  }
  throw new Error(`no port from ${FROM} to ${TO} was found free`);
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}
