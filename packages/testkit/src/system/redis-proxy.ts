import { connect, createServer, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

/** A TCP proxy before Redis that can be told to be slow with what it is sent. Order on a connection is kept. */
export interface RedisProxy {
  /** Redis through the proxy. */
  readonly url: string;
  /** Milliseconds that a piece of traffic towards Redis is held back, by its bytes as latin1 text; 0 passes it on. */
  delayMs: (traffic: string) => number;
  close(): Promise<void>;
}

/** Starts a proxy before the Redis of this URL; it takes a free port. */
export async function startRedisProxy(redisUrl: string): Promise<RedisProxy> {
  const target = new URL(redisUrl);
  const sockets = new Set<Socket>();
  const keep = (socket: Socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    return socket;
  };
  const server = createServer((client) => {
    const redis = keep(connect(Number(target.port), target.hostname));
    keep(client);
    let sent = Promise.resolve();
    client.on('data', (bytes) => {
      const delayMs = proxy.delayMs(bytes.toString('latin1'));
      sent = sent.then(async () => {
        if (delayMs > 0) await pause(delayMs);
        // A client that has died in the meantime takes what it had not yet sent with it.
        if (!client.destroyed) redis.write(bytes);
      });
    });
    redis.pipe(client);
    for (const [one, other] of [[client, redis] as const, [redis, client] as const]) {
      one.on('error', () => other.destroy());
      one.on('close', () => other.destroy());
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the proxy has no port');
  const url = new URL(redisUrl);
  url.hostname = '127.0.0.1';
  url.port = String(address.port);
  const proxy: RedisProxy = {
    url: url.toString(),
    delayMs: () => 0,
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return proxy;
}
