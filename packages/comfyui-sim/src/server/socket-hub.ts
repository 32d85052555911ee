import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { type WebSocket, WebSocketServer } from 'ws';
import type { JsonRecord } from '../prompts/prompt.js';

/** `PREVIEW_IMAGE` and `JPEG` of the real protocol: two big-endian numbers before the bytes. */
const PREVIEW_HEADER = Buffer.from([0, 0, 0, 1, 0, 0, 0, 1]);

/** The clients of `/ws`, by the `clientId` that they gave. A second one of the same id takes the first one's place. */
export class SocketHub {
  readonly #server = new WebSocketServer({ noServer: true });
  readonly #sockets = new Map<string, WebSocket>();

  /** @param greet what a new client is told first */
  accept(
    request: IncomingMessage,
    socket: Duplex,
    head: Buffer,
    greet: (clientId: string) => [event: string, data: JsonRecord][],
  ): void {
    const wanted = new URL(request.url ?? '/', 'http://host').searchParams.get('clientId');
    const clientId = wanted || randomUUID().replaceAll('-', '');
    this.#server.handleUpgrade(request, socket, head, (client) => {
      this.#sockets.set(clientId, client);
      client.on('close', () => {
        if (this.#sockets.get(clientId) === client) this.#sockets.delete(clientId);
      });
      client.on('error', () => client.terminate());
      for (const [type, data] of greet(clientId)) client.send(JSON.stringify({ type, data }));
    });
  }

  has(clientId: string): boolean {
    return this.#sockets.has(clientId);
  }

  /** @param clientId undefined: everybody */
  send(type: string, data: JsonRecord, clientId?: string): void {
    const text = JSON.stringify({ type, data });
    for (const socket of this.#receivers(clientId)) socket.send(text);
  }

  sendPreview(jpeg: Buffer, clientId?: string): void {
    for (const socket of this.#receivers(clientId)) socket.send(Buffer.concat([PREVIEW_HEADER, jpeg]));
  }

  /** Cuts every connection without a goodbye. */
  drop(): void {
    for (const socket of this.#sockets.values()) socket.terminate();
    this.#sockets.clear();
  }

  #receivers(clientId: string | undefined): WebSocket[] {
    if (clientId === undefined) return [...this.#sockets.values()];
    const socket = this.#sockets.get(clientId);
    return socket ? [socket] : [];
  }
}
