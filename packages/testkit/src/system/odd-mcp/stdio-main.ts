import { createInterface } from 'node:readline';
import type { JsonObject } from '@plinth/protocol';
import { type OddFault, OddMcp } from './odd-mcp.js';

/** `node stdio-main.js <name> <fault>...`: a misbehaving MCP server over stdio. */
const [name = 'odd', ...faults] = process.argv.slice(2);
const server = new OddMcp(name, new Set(faults as OddFault[]));
const channel = {
  send: (message: JsonObject) => void process.stdout.write(`${JSON.stringify(message)}\n`),
  crash: () => process.exit(3),
};
process.stderr.write(`${name} is ready\n`);
// Programs that print to their output by mistake are common; a client must not stumble over it.
process.stdout.write('hello, this line is no message\n');
createInterface({ input: process.stdin }).on('line', (line) =>
  server.handle(JSON.parse(line) as JsonObject, channel),
);
if (server.faults.has('stays')) {
  setInterval(() => {}, 60_000);
  process.on('SIGTERM', () => {});
}
