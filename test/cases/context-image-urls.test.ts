import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { startWith } from '@plinth/testkit/system';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { onEveryTopology } from './support/on-plinth.js';

/** The one address that the outbound rules let through: another one of this machine than the listener's. */
const ALLOWED = '127.0.0.2';

onEveryTopology(
  'pictures by address',
  () => [],
  (use) => {
    let connections = 0;
    let listener: Server;
    let redirector: Server;
    let redirectTo = '';
    const portOf = (server: Server) => (server.address() as AddressInfo).port;
    const listenOn = (server: Server, host: string) =>
      new Promise<void>((resolve, reject) => {
        server.once('error', reject);
        server.listen(0, host, resolve);
      });
    beforeAll(async () => {
      listener = createServer((_request, response) => void response.end('secret'));
      listener.on('connection', () => {
        connections += 1;
      });
      redirector = createServer(
        (_request, response) => void response.writeHead(302, { location: redirectTo }).end(),
      );
      await Promise.all([listenOn(listener, '127.0.0.1'), listenOn(redirector, ALLOWED)]);
    });
    afterAll(() => {
      listener.close();
      redirector.close();
    });

    it.each([
      ['loopback', '127.0.0.1'],
      ['loopback by name', 'localhost'],
      ['loopback as one number', '2130706433'],
      ['loopback in octal', '0177.0.0.1'],
      ['loopback in hexadecimal', '0x7f.1'],
      ['loopback as a mapped address', '[::ffff:127.0.0.1]'],
      ['the address of nobody', '0.0.0.0'],
    ])(
      'C7: a picture whose address redirects to %s is refused, and nobody is connected to',
      async (_name, host) => {
        const { plinth } = use();
        redirectTo = `http://${host}:${portOf(listener)}/picture.png`;
        connections = 0;
        const ada = await plinth.session();
        const url = `http://${ALLOWED}:${portOf(redirector)}/picture.png`;
        await expect(startWith(ada, 'Look at it.', [{ url }])).rejects.toMatchObject({
          status: 422,
          problem: { code: 'attachment_not_fetched' },
        });
        expect(connections).toBe(0);
      },
    );
  },
  { environment: { PLINTH_OUTBOUND_ALLOW: ALLOWED, PLINTH_IMAGE_ALLOW: ALLOWED } },
);
