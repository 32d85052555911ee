import type { IncomingMessage } from 'node:http';
import { createServer as createTcpServer } from 'node:net';
import { brotliCompressSync, constants, deflateSync, gzipSync } from 'node:zlib';
import type { TenantId } from '@plinth/protocol';
import { ManualClock } from '@plinth/testkit';
import { afterEach, describe, expect, test, vi } from 'vitest';
import type { OutboundRequest } from '../src/platform/outbound/outbound-client.js';
import { systemClock } from '../src/platform/system-clock.js';
import { listenOn, outboundTo, type Peer, startPeer } from './outbound-fixture.js';

const acme = 'ten_acme' as TenantId;
const LOOPBACK = ['127.0.0.1'];
const KIB = 1024;
const open: Peer[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((peer) => peer.close()));
});
const peerThat = async (answer: Parameters<typeof startPeer>[0]) => {
  const peer = await startPeer(answer);
  open.push(peer);
  return peer;
};

const get = (url: string, changes: Partial<OutboundRequest> = {}): OutboundRequest => ({
  url,
  method: 'GET',
  timeoutMs: 20_000,
  maxRedirects: 3,
  plan: () => ({ maxBytes: 64 * KIB, longer: 'refuse' }),
  ...changes,
});
const never = new AbortController().signal;
const send = (request: OutboundRequest, client = outboundTo(LOOPBACK)) => client.send(acme, request, never);
const textOf = (result: Awaited<ReturnType<typeof send>>) =>
  result.ok ? Buffer.from(result.response.body).toString() : result.failure;

describe('where a request goes', () => {
  test('to a loopback address it does not, and nobody is connected to', async () => {
    const peer = await peerThat((_request, response) => void response.end('inside'));
    for (const url of [
      peer.url,
      peer.url.replace('127.0.0.1', 'localhost'),
      peer.url.replace('127.0.0.1', '[::ffff:127.0.0.1]'),
    ]) {
      expect(await send(get(url), outboundTo([]))).toEqual({
        ok: false,
        failure: { code: 'blocked_address', message: expect.any(String), mayHaveArrived: false },
      });
    }
    expect(peer.connections).toBe(0);
  });

  test('a name is refused when any of its addresses is, and nobody is connected to', async () => {
    const peer = await peerThat((_request, response) => void response.end('inside'));
    const resolve = async () => [
      { address: '127.0.0.1', family: 4 },
      { address: '169.254.169.254', family: 4 },
    ];
    const result = await send(get(`http://two.test:${peer.port}/`), outboundTo(LOOPBACK, { resolve }));
    expect(result).toMatchObject({ ok: false, failure: { code: 'blocked_address' } });
    expect(peer.connections).toBe(0);
  });

  test('a name that means something else when it is asked again (DNS rebinding) is connected to where it was checked', async () => {
    const peer = await peerThat((request, response) => void response.end(request.headers.host));
    const asked: string[] = [];
    const resolve = async (host: string) => {
      asked.push(host);
      // First the address that is allowed; whoever asked again would be sent to one that is not.
      return [{ address: asked.length === 1 ? '127.0.0.1' : '127.0.0.2', family: 4 }];
    };
    const result = await send(get(`http://rebind.test:${peer.port}/`), outboundTo(LOOPBACK, { resolve }));
    expect(textOf(result)).toBe(`rebind.test:${peer.port}`);
    expect(asked).toEqual(['rebind.test']);
    expect(peer.connections).toBe(1);
  });

  test('a name that turns to loopback between a redirect and the next request is refused there', async () => {
    const inside = await peerThat((_request, response) => void response.end('inside'));
    const outside = await peerThat((_request, response) => {
      response.writeHead(302, { location: `http://rebind.test:${inside.port}/` }).end();
    });
    const addresses = ['127.0.0.1', '127.0.0.2'];
    const resolve = async () => [{ address: addresses.shift() ?? '127.0.0.2', family: 4 }];
    const client = outboundTo([`127.0.0.1:${outside.port}`], { resolve });
    expect(await send(get(`http://rebind.test:${outside.port}/`), client)).toMatchObject({
      ok: false,
      failure: { code: 'blocked_address' },
    });
    expect(outside.connections).toBe(1);
    expect(inside.connections).toBe(0);
  });

  test.each(['127.0.0.1', 'localhost', '[::1]', '[::ffff:7f00:1]'])(
    'a redirect to %s is refused, and the listener there sees no connection',
    async (host) => {
      const inside = await peerThat((_request, response) => void response.end('inside'));
      const outside = await peerThat((_request, response) => {
        response.writeHead(302, { location: `http://${host}:${inside.port}/` }).end();
      });
      const result = await send(get(outside.url), outboundTo([`127.0.0.1:${outside.port}`]));
      expect(result).toMatchObject({ ok: false, failure: { code: 'blocked_address', mayHaveArrived: true } });
      expect(inside.connections).toBe(0);
    },
  );

  test('a connection that one request was allowed is not there for the next one', async () => {
    const peer = await peerThat((_request, response) => void response.end('inside'));
    const client = outboundTo(LOOPBACK);
    await send(get(peer.url), client);
    await send(get(peer.url), client);
    expect(peer.connections).toBe(2);
  });

  test('a name that does not exist, and a port where nobody listens, are unreachable', async () => {
    const resolve = async () => Promise.reject(Object.assign(new Error('x'), { code: 'ENOTFOUND' }));
    expect(await send(get('http://no.test/'), outboundTo([], { resolve }))).toMatchObject({
      failure: { code: 'unreachable', message: 'could not be reached (ENOTFOUND)', mayHaveArrived: false },
    });
    const peer = await startPeer(() => {});
    await peer.close();
    expect(await send(get(peer.url))).toMatchObject({
      failure: { code: 'unreachable', message: 'could not be reached (ECONNREFUSED)', mayHaveArrived: false },
    });
  });
});

describe('redirects', () => {
  test('are followed, and the answer says where it came from', async () => {
    const peer = await peerThat((request, response) => {
      if (request.url === '/one') response.writeHead(302, { location: '/two' }).end();
      else response.end(`${request.method} ${request.headers.authorization}`);
    });
    const result = await send(get(`${peer.url}/one`, { headers: { Authorization: 'Bearer t' } }));
    expect(textOf(result)).toBe('GET Bearer t');
    expect(result).toMatchObject({ response: { url: `${peer.url}/two` } });
  });

  test('to another origin take no credential along', async () => {
    const seen: IncomingMessage['headers'][] = [];
    const second = await peerThat((request, response) => {
      seen.push(request.headers);
      response.end();
    });
    const first = await peerThat((_request, response) => {
      response.writeHead(302, { location: second.url }).end();
    });
    await send(get(first.url, { headers: { authorization: 'a', cookie: 'b', 'x-api-key': 'c' } }));
    expect(seen).toHaveLength(1);
    expect(seen[0]).not.toMatchObject({ authorization: expect.anything() });
    expect(Object.keys(seen[0] ?? {}).sort()).toEqual([
      'accept-encoding',
      'connection',
      'host',
      'user-agent',
    ]);
  });

  test('without end are given up', async () => {
    const peer = await peerThat(
      (_request, response) => void response.writeHead(302, { location: '/' }).end(),
    );
    expect(await send(get(peer.url))).toMatchObject({ failure: { code: 'bad_redirect' } });
    expect(peer.connections).toBe(4);
  });
});

describe('what comes back is bounded', () => {
  test('100 MB without a length are given up at the limit, and the other side is cut off', async () => {
    let sentBytes = 0;
    let wasCut = false;
    const peer = await peerThat((_request, response) => {
      const chunk = Buffer.alloc(64 * KIB);
      const more = () => {
        while (sentBytes < 100_000_000 && !response.destroyed) {
          sentBytes += chunk.length;
          if (!response.write(chunk)) return void response.once('drain', more);
        }
        response.end();
      };
      response.on('close', () => {
        wasCut = !response.writableFinished;
      });
      more();
    });
    expect(await send(get(peer.url))).toEqual({
      ok: false,
      failure: { code: 'too_large', message: 'sent more than 65536 bytes', mayHaveArrived: true },
    });
    await vi.waitFor(() => expect(wasCut).toBe(true));
    expect(sentBytes).toBeLessThan(20_000_000);
  });

  test('100 MB with a length are refused before a byte of them is read', async () => {
    const peer = await peerThat((_request, response) => {
      response.writeHead(200, { 'content-length': '100000000' });
      response.flushHeaders();
    });
    expect(await send(get(peer.url))).toMatchObject({ failure: { code: 'too_large' } });
  });

  test.each([
    ['gzip', gzipSync],
    ['deflate', deflateSync],
    ['br', (bytes: Buffer) => brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 3 } })],
  ])('a %s bomb is given up where it grows too large', async (encoding, compress) => {
    const bomb = compress(Buffer.alloc(50_000_000));
    const peer = await peerThat((_request, response) => {
      response.writeHead(200, { 'content-encoding': encoding }).end(bomb);
    });
    expect(await send(get(peer.url))).toMatchObject({ failure: { code: 'too_large' } });
    const small = await peerThat((_request, response) => {
      response.writeHead(200, { 'content-encoding': encoding }).end(compress(Buffer.from('秋の茶会')));
    });
    expect(textOf(await send(get(small.url)))).toBe('秋の茶会');
  });

  test('a stream that goes on for ever and decompresses to nothing is given up', async () => {
    const empty = gzipSync(Buffer.alloc(0));
    const peer = await peerThat((_request, response) => {
      response.writeHead(200, { 'content-encoding': 'gzip' });
      const more = () => {
        while (!response.destroyed && response.write(empty));
      };
      response.on('drain', more);
      more();
    });
    expect(await send(get(peer.url))).toMatchObject({ failure: { code: 'too_large' } });
  });

  test('a body that is wanted up to a length is cut there', async () => {
    const peer = await peerThat((_request, response) => void response.end('x'.repeat(5000)));
    const result = await send(get(peer.url, { plan: () => ({ maxBytes: 10, longer: 'cut' }) }));
    expect(result).toMatchObject({ ok: true, response: { isCut: true } });
    expect(textOf(result)).toBe('xxxxxxxxxx');
  });

  test('a compressed body that is wanted up to a length is cut, not refused, when its wire form is longer', async () => {
    const empty = gzipSync(Buffer.alloc(0));
    const peer = await peerThat((_request, response) => {
      response.writeHead(500, { 'content-encoding': 'gzip' });
      response.write(gzipSync(Buffer.from('Oops')));
      const more = () => {
        while (!response.destroyed && response.write(empty));
      };
      response.on('drain', more);
      more();
    });
    const result = await send(get(peer.url, { plan: () => ({ maxBytes: 5000, longer: 'cut' }) }));
    expect(result).toMatchObject({ ok: true, response: { status: 500, isCut: true } });
    expect(textOf(result)).toBe('Oops');
  });

  test('headers beyond 32 KiB are refused', async () => {
    const peer = await peerThat((_request, response) => {
      response.writeHead(200, { 'x-long': 'x'.repeat(40_000) }).end();
    });
    expect(await send(get(peer.url))).toMatchObject({ failure: { code: 'too_large' } });
  });

  test('an encoding that was not asked for, and one that is a lie, are told apart', async () => {
    const asking = async (encoding: string, body: string | Buffer) => {
      const peer = await peerThat((_request, response) => {
        response.writeHead(200, { 'content-encoding': encoding }).end(body);
      });
      return send(get(peer.url));
    };
    expect(await asking('compress', 'x')).toMatchObject({ failure: { code: 'unsupported_content' } });
    expect(await asking('gzip', 'not gzip')).toMatchObject({ failure: { code: 'broken_response' } });
    const half = gzipSync(Buffer.from('x'.repeat(500))).subarray(0, 20);
    expect(await asking('gzip', half)).toMatchObject({ failure: { code: 'broken_response' } });
  });
});

describe('time', () => {
  /** Passes the time of a request when its peer has been reached. */
  async function withClock(answer: Parameters<typeof startPeer>[0]) {
    const clock = new ManualClock();
    let reached = false;
    const peer = await peerThat((request, response) => {
      answer(request, response);
      reached = true;
    });
    const result = send(get(peer.url), outboundTo(LOOPBACK, { clock }));
    await vi.waitFor(() => expect(reached).toBe(true));
    clock.advance(20_000);
    return { result: await result, clock };
  }

  test('headers that do not come are given up when the time is over', async () => {
    const { result, clock } = await withClock(() => {});
    expect(result).toEqual({
      ok: false,
      failure: { code: 'timed_out', message: 'gave no whole answer within 20000 ms', mayHaveArrived: true },
    });
    expect(clock.waiting).toBe(0);
  });

  test('a body that trickles is given up when the time is over, however lively it is', async () => {
    const trickles: NodeJS.Timeout[] = [];
    const { result } = await withClock((_request, response) => {
      response.writeHead(200);
      trickles.push(setInterval(() => response.write('x'), 5));
    });
    for (const trickle of trickles) clearInterval(trickle);
    expect(result).toMatchObject({ failure: { code: 'timed_out' } });
  });

  test('a name that is not resolved, and a TLS that is never spoken, are given up after 10 s', async () => {
    const clock = new ManualClock();
    const asked = vi.fn(() => new Promise<never>(() => {}));
    const unresolved = send(get('http://slow.test/'), outboundTo([], { clock, resolve: asked }));
    await vi.waitFor(() => expect(asked).toHaveBeenCalled());
    clock.advance(10_000);
    expect(await unresolved).toMatchObject({ failure: { code: 'timed_out', mayHaveArrived: false } });

    const silent = await listenOn(createTcpServer((socket) => void socket.on('error', () => {})));
    open.push(silent);
    const unspoken = send(get(silent.url.replace('http:', 'https:')), outboundTo(LOOPBACK, { clock }));
    await vi.waitFor(() => expect(silent.connections).toBe(1));
    clock.advance(10_000);
    expect(await unspoken).toMatchObject({
      failure: {
        code: 'timed_out',
        message: 'could not be connected to within 10000 ms',
        mayHaveArrived: false,
      },
    });
  });

  test('an abort cuts the request and rises with its reason', async () => {
    let wasCut = false;
    const peer = await peerThat((_request, response) => {
      response.on('close', () => {
        wasCut = true;
      });
      response.writeHead(200).write('x');
    });
    const abort = new AbortController();
    const reason = new Error('cancelled');
    const client = outboundTo(LOOPBACK, { clock: systemClock });
    const result = client.send(acme, get(peer.url), abort.signal);
    await vi.waitFor(() => expect(peer.connections).toBe(1));
    abort.abort(reason);
    await expect(result).rejects.toBe(reason);
    await vi.waitFor(() => expect(wasCut).toBe(true));
  });
});

describe('a connection that breaks', () => {
  test.each([
    ['before the answer', false],
    ['in the middle of the body', true],
  ])('%s is a broken response', async (_when, begins) => {
    const peer = await peerThat((_request, response) => {
      if (!begins) return void response.socket?.resetAndDestroy();
      response.writeHead(200, { 'content-length': '1000' });
      response.write('half', () => response.socket?.resetAndDestroy());
    });
    expect(await send(get(peer.url))).toMatchObject({
      failure: {
        code: 'broken_response',
        message: expect.stringMatching(/^cut the connection \(/),
        mayHaveArrived: true,
      },
    });
  });

  test('what is no HTTP is a broken response', async () => {
    const peer = await listenOn(createTcpServer((socket) => void socket.end('SSH-2.0-x\r\n')));
    open.push(peer);
    expect(await send(get(peer.url))).toMatchObject({ failure: { code: 'broken_response' } });
  });

  test('a header that cannot be sent is told before anything is sent', async () => {
    const peer = await peerThat((_request, response) => void response.end());
    expect(await send(get(peer.url, { headers: { 'x-a': 'b\r\nx-c: d' } }))).toMatchObject({
      failure: { code: 'invalid_request', mayHaveArrived: false },
    });
    expect(peer.connections).toBe(0);
  });
});
