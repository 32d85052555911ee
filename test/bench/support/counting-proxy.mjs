/** A TCP proxy that counts what a program sends to Postgres or Redis: bytes, their part in parameters, statements. */
import { connect, createServer } from 'node:net';
import { commandReader, parameterBytes as parameterBytesOfCommand } from './redis-commands.mjs';

/** Reads the messages of one connection to Postgres: a start-up message, then messages of type, length and body. */
function messageReader(onMessage) {
  let buffer = Buffer.alloc(0);
  let started = false;
  return (chunk) => {
    buffer = buffer.length === 0 ? chunk : Buffer.concat([buffer, chunk]);
    for (;;) {
      const header = started ? 5 : 4;
      if (buffer.length < header) return;
      const size = (started ? 1 : 0) + buffer.readInt32BE(started ? 1 : 0);
      if (buffer.length < size) return;
      if (started) onMessage(String.fromCharCode(buffer[0]), buffer.subarray(5, size));
      started = true;
      buffer = buffer.subarray(size);
    }
  };
}

/** The zero-terminated string at `from`, and where the next field begins. */
function stringAt(body, from) {
  const end = body.indexOf(0, from);
  return { text: body.toString('utf8', from, end), next: end + 1 };
}

/** Transaction control and the tenant's setting are counted apart: they say nothing about what a program stores. */
const isControl = (sql) => /^\s*(begin|commit|rollback|savepoint|release|set)\b|set_config\(/i.test(sql);

/** Statements after which the COMMIT has to wait for the disk. A lock (`FOR UPDATE`) alone is none. */
const isWrite = (sql) => /\b(insert\s+into|delete\s+from|(?<!\b(for|key)\s+)update)\s/i.test(sql);

/** Counts the statements of one connection, the bytes of their parameters, and the transactions that wrote. */
function statementCounter(counts) {
  const texts = new Map();
  let bound = '';
  let wrote = false;
  const note = (sql) => {
    if (isWrite(sql)) wrote = true;
    if (/^\s*commit\b/i.test(sql) && wrote) counts.writingCommits += 1;
    if (/^\s*(begin|commit|rollback)\b/i.test(sql)) wrote = false;
    if (isControl(sql)) counts.control += 1;
    else counts.statements += 1;
  };
  return messageReader((type, body) => {
    if (type === 'P') {
      const name = stringAt(body, 0);
      texts.set(name.text, stringAt(body, name.next).text);
    } else if (type === 'B') {
      const statement = stringAt(body, stringAt(body, 0).next);
      bound = texts.get(statement.text) ?? '';
      counts.parameterBytes += parameterBytes(body, statement.next);
    } else if (type === 'E') note(bound);
    else if (type === 'Q') note(stringAt(body, 0).text);
  });
}

/** A Bind message after its names: format codes, then each parameter with its length (-1: NULL). */
function parameterBytes(body, from) {
  let at = from + 2 + 2 * body.readInt16BE(from);
  const count = body.readInt16BE(at);
  at += 2;
  let bytes = 0;
  for (let i = 0; i < count; i += 1) {
    const length = Math.max(0, body.readInt32BE(at));
    bytes += length;
    at += 4 + length;
  }
  return bytes;
}

const NOTHING = { bytes: 0, parameterBytes: 0, statements: 0, control: 0, writingCommits: 0 };

function commandCounter(counts) {
  return commandReader((args) => {
    counts.statements += 1;
    counts.parameterBytes += parameterBytesOfCommand(args);
  });
}

/** In the place of a proxy, where its time would be measured too: nothing is counted. */
export const withoutProxy = (target) => ({ url: target, take: () => ({ ...NOTHING }), close() {} });

export async function startCountingProxy(target) {
  const counts = { ...NOTHING };
  const { hostname, port, protocol } = new URL(target);
  const counter = protocol.startsWith('redis') ? commandCounter : statementCounter;
  const sockets = new Set();
  const server = createServer((incoming) => {
    const outgoing = connect(Number(port), hostname);
    const count = counter(counts);
    incoming.setNoDelay(true);
    outgoing.setNoDelay(true);
    incoming.on('data', (chunk) => {
      counts.bytes += chunk.length;
      count(chunk);
    });
    incoming.pipe(outgoing);
    outgoing.pipe(incoming);
    for (const [socket, other] of [
      [incoming, outgoing],
      [outgoing, incoming],
    ]) {
      sockets.add(socket);
      socket.on('error', () => other.destroy());
      socket.on('close', () => sockets.delete(socket));
    }
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = new URL(target);
  url.port = String(server.address().port);
  url.hostname = '127.0.0.1';
  return {
    url: url.toString(),
    /** What was counted since the last call. */
    take() {
      const taken = { ...counts };
      Object.assign(counts, NOTHING);
      return taken;
    },
    close() {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}
