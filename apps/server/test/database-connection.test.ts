import { createServer, type Server, type Socket } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { Prisma } from '../src/generated/prisma/client.js';
import { createConnectionPool } from '../src/platform/database/connection-pool.js';
import { Pipeline } from '../src/platform/database/pipeline.js';
import { createPrismaClient } from '../src/platform/database/prisma-client.js';
import { createStatementNames } from '../src/platform/database/statement-names.js';

/** One message of the Postgres protocol: its type, its length, its content. */
function message(type: string, content: Buffer): Buffer {
  const length = Buffer.alloc(4);
  length.writeInt32BE(content.length + 4);
  return Buffer.concat([Buffer.from(type), length, content]);
}

const LOGGED_IN = message('R', Buffer.alloc(4));
const READY = message('Z', Buffer.from('I'));
const SHUTTING_DOWN = message(
  'E',
  Buffer.from('SFATAL\0VFATAL\0C57P01\0Mterminating connection due to administrator command\0\0'),
);

let server: Server;
const sockets = new Set<Socket>();
afterEach(() => {
  for (const socket of sockets) socket.destroy();
  server.close();
});

/** A Postgres that shuts down in the moment in which a connection is logged in: both stand in one packet. */
async function shuttingDown(): Promise<string> {
  server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.once('data', () => socket.end(Buffer.concat([LOGGED_IN, READY, SHUTTING_DOWN])));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server has no port');
  return `postgresql://plinth_app:x@127.0.0.1:${address.port}/plinth`;
}

it('a connection that ends between two owners fails its query, and not the process', async () => {
  const pool = createConnectionPool({ url: await shuttingDown(), poolSize: 2 });
  const names = createStatementNames();
  const client = createPrismaClient(pool, names);
  const pipeline = new Pipeline(pool, names);
  // Vitest reports an 'error' event without a listener as a failure of the run.
  await expect(client.$transaction((tx) => tx.$queryRaw`SELECT 1`)).rejects.toThrow();
  await expect(client.$queryRaw`SELECT 1`).rejects.toThrow();
  await expect(pipeline.send([Prisma.sql`SELECT 1`])).rejects.toThrow();
  await client.$disconnect();
  await pool.end();
});
