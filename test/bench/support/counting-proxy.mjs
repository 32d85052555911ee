/** A TCP proxy that counts what a program sends to its store: bytes, and for Postgres the statements it executes. */
import { connect, createServer } from 'node:net';

/** Bytes after which a start-up message has been read; after it every message has a type and a length. */
function statementCounter(onStatement) {
  let buffer = Buffer.alloc(0);
  let started = false;
  return (chunk) => {
    buffer = buffer.length === 0 ? chunk : Buffer.concat([buffer, chunk]);
    for (;;) {
      const header = started ? 5 : 4;
      if (buffer.length < header) return;
      const size = (started ? 1 : 0) + buffer.readInt32BE(started ? 1 : 0);
      if (buffer.length < size) return;
      if (started) {
        const type = String.fromCharCode(buffer[0]);
        // 'E': execute a prepared statement. 'Q': a simple query, whose text says what it is.
        if (type === 'E') onStatement('execute');
        if (type === 'Q') onStatement(buffer.toString('utf8', 5, size - 1));
      }
      started = true;
      buffer = buffer.subarray(size);
    }
  };
}

/** Transaction control is reported apart: it says nothing about what a program stores. */
const isControl = (text) => /^\s*(begin|commit|rollback|savepoint|release|set)\b/i.test(text);

export async function startCountingProxy(target, { countStatements = false } = {}) {
  const counts = { bytes: 0, statements: 0, control: 0 };
  const { hostname, port } = new URL(target);
  const sockets = new Set();
  const server = createServer((incoming) => {
    const outgoing = connect(Number(port), hostname);
    const count = countStatements
      ? statementCounter((text) => {
          if (isControl(text)) counts.control += 1;
          else counts.statements += 1;
        })
      : () => {};
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
      Object.assign(counts, { bytes: 0, statements: 0, control: 0 });
      return taken;
    },
    close() {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}
