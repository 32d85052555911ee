import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo, Socket, Server as TcpServer } from 'node:net';
import type { Clock } from '@plinth/engine';
import type { Resolve } from '../src/platform/outbound/guarded-agent.js';
import { OutboundClient } from '../src/platform/outbound/outbound-client.js';
import { OutboundPolicy } from '../src/platform/outbound/outbound-policy.js';
import { systemClock } from '../src/platform/system-clock.js';

/** A client whose operator allows these destinations to everybody. */
export function outboundTo(
  allow: readonly string[],
  { clock = systemClock, resolve }: { clock?: Clock; resolve?: Resolve } = {},
): OutboundClient {
  const policy = OutboundPolicy.allowing(allow);
  return new OutboundClient({ of: async () => policy }, clock, resolve);
}

/** A server of the loopback interface that counts every connection, one without a request too. */
export interface Peer {
  url: string;
  port: number;
  connections: number;
  close(): Promise<void>;
}

export async function listenOn(server: Server | TcpServer): Promise<Peer> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const sockets: Socket[] = [];
  const peer: Peer = {
    port,
    url: `http://127.0.0.1:${port}`,
    connections: 0,
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  server.on('connection', (socket: Socket) => {
    peer.connections += 1;
    sockets.push(socket);
  });
  return peer;
}

export const startPeer = (answer: RequestListener): Promise<Peer> => listenOn(createServer(answer));
