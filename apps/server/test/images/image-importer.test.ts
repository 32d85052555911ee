import type { IncomingMessage, ServerResponse } from 'node:http';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { ImageImporter, type Imported, MAX_IMPORT_BYTES } from '../../src/images/image-importer.js';
import type { AddedTenant } from '../database-fixture.js';
import { outboundTo, type Peer, startPeer } from '../outbound-fixture.js';
import { quartered } from './corpus.js';
import { openPipelines } from './pipeline-fixture.js';

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

let fixture: Awaited<ReturnType<typeof openPipelines>>;
let png: Buffer;
let site: Peer;
/** What must never be reached. */
let inside: Peer;
let answer: Answer;
let importer: ImageImporter;
let acme: AddedTenant;
const never = new AbortController().signal;

beforeAll(async () => {
  fixture = await openPipelines();
  png = await quartered().png().toBuffer();
  site = await startPeer((request, response) => answer(request, response));
  inside = await startPeer((_request, response) => response.end('the secrets of the inside'));
});
beforeEach(async () => {
  acme = await fixture.addTenant();
  answer = (_request, response) => response.writeHead(200, { 'content-type': 'image/png' }).end(png);
  importer = anImporter();
  site.connections = 0;
});
afterAll(async () => {
  await Promise.all([site.close(), inside.close()]);
  await fixture.close();
});

/** Another process: it remembers nothing. */
function anImporter(): ImageImporter {
  // The site of this test is allowed, and nothing else that is not public.
  const outbound = outboundTo([`127.0.0.1:${site.port}`]);
  const { database, artifacts, clock } = fixture;
  return new ImageImporter({ outbound, database, artifacts, clock });
}

const get = (path: string, tenant = acme) => importer.importUrl(tenant.id, `${site.url}${path}`, never);
const codeOf = (imported: Imported) => (imported.ok ? 'imported' : imported.failure.code);

describe('a picture that is named by its address', () => {
  test('is in our own store afterwards, named by its bytes', async () => {
    const imported = await get('/posters/summer%20sale.png?size=1#top');
    expect(imported).toMatchObject({ ok: true, image: { mimeType: 'image/png', title: 'summer sale.png' } });
    if (!imported.ok) return;
    const { storageKey, sizeBytes } = imported.image;
    expect(sizeBytes).toBe(png.byteLength);
    expect(Buffer.from(await fixture.artifacts.get(acme.id, storageKey)).equals(png)).toBe(true);
  });

  test('is fetched once within ten minutes, by all processes together, and for each tenant by itself', async () => {
    await get('/once.png#a');
    await get('/once.png#b');
    importer = anImporter();
    await get('/once.png');
    expect(site.connections).toBe(1);
    await get('/once.png', await fixture.addTenant());
    expect(site.connections).toBe(2);
    fixture.clock.advance(600_000);
    await get('/once.png');
    expect(site.connections).toBe(3);
  });

  test('is fetched once by many who ask at the same time', async () => {
    const all = await Promise.all([get('/busy.png'), get('/busy.png'), get('/busy.png')]);
    expect(all.map(codeOf)).toEqual(['imported', 'imported', 'imported']);
    expect(site.connections).toBe(1);
  });

  test('is still fetched for one who waits when another, who had begun it, has gone away', async () => {
    const leaving = new AbortController();
    let isFirst = true;
    answer = (_request, response) => {
      if (!isFirst) return void response.writeHead(200, { 'content-type': 'image/png' }).end(png);
      isFirst = false;
      leaving.abort(new Error('the run was cancelled'));
    };
    const url = `${site.url}/slow.png`;
    const gone = importer.importUrl(acme.id, url, leaving.signal);
    const stays = importer.importUrl(acme.id, url, never);
    await expect(gone).rejects.toThrow('the run was cancelled');
    expect(codeOf(await stays)).toBe('imported');
  });

  test('is what its bytes are: one called .txt is a picture, and a page called .png is none', async () => {
    answer = (_request, response) =>
      response.writeHead(200, { 'content-type': 'application/octet-stream' }).end(png);
    expect(await get('/a.txt')).toMatchObject({ ok: true, image: { mimeType: 'image/png' } });
    answer = (_request, response) =>
      response.writeHead(200, { 'content-type': 'image/png' }).end('<!doctype html><html></html>');
    expect(await get('/b.png')).toEqual({
      ok: false,
      failure: {
        code: 'not_a_picture',
        message: 'The server of this picture sent something else: its bytes are text/html.',
      },
    });
  });

  test('fails by name: a page, a status, too many bytes, too many redirects', async () => {
    answer = (_request, response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<html>');
    expect(codeOf(await get('/page'))).toBe('unsupported_content');
    answer = (_request, response) => response.writeHead(404).end();
    expect(await get('/gone.png')).toMatchObject({
      failure: { code: 'http_status', message: expect.stringContaining('404 (Not Found)') },
    });
    answer = (_request, response) =>
      response
        .writeHead(200, { 'content-type': 'image/png', 'content-length': MAX_IMPORT_BYTES + 1 })
        .end(png);
    expect(codeOf(await get('/large.png'))).toBe('too_large');
    answer = (_request, response) => response.writeHead(302, { location: '/again' }).end();
    expect(codeOf(await get('/again'))).toBe('bad_redirect');
  });

  test('that failed is asked for again', async () => {
    answer = (_request, response) => response.writeHead(503).end();
    expect(codeOf(await get('/later.png'))).toBe('http_status');
    answer = (_request, response) => response.writeHead(200, { 'content-type': 'image/png' }).end(png);
    expect(codeOf(await get('/later.png'))).toBe('imported');
  });
});

describe('C7: an address never leads into our own network', () => {
  test('one that redirects to loopback is refused, and nothing was connected to there', async () => {
    for (const host of ['127.0.0.1', 'localhost', '[::ffff:127.0.0.1]', '[::1]', '0.0.0.0']) {
      answer = (_request, response) =>
        response.writeHead(302, { location: `http://${host}:${inside.port}/secret.png` }).end();
      expect(codeOf(await get(`/to-${encodeURIComponent(host)}.png`)), host).toBe('blocked_address');
    }
    expect(site.connections).toBe(5);
    expect(inside.connections).toBe(0);
  });

  test('nor one that writes loopback in another way, at once or by a redirect', async () => {
    for (const host of ['2130706433', '0x7f.1', '0177.0.0.1', '127.1']) {
      const target = `http://${host}:${inside.port}/a.png`;
      expect(['blocked_address', 'invalid_request']).toContain(
        codeOf(await importer.importUrl(acme.id, target, never)),
      );
      answer = (_request, response) => response.writeHead(307, { location: target }).end();
      expect(['blocked_address', 'invalid_request', 'bad_redirect']).toContain(codeOf(await get(`/${host}`)));
    }
    expect(inside.connections).toBe(0);
  });

  test('nor what is no address of the web', async () => {
    for (const url of [
      'file:///etc/passwd',
      'data:image/png;base64,AA==',
      'ftp://a.example/a.png',
      'no address',
    ])
      expect(codeOf(await importer.importUrl(acme.id, url, never)), url).toBe('invalid_request');
  });
});
