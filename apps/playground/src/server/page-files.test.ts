import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Fastify, { type FastifyInstance } from 'fastify';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { pageFiles } from './page-files.js';

let root: string;
let app: FastifyInstance;

beforeEach(async () => {
  root = mkdtempSync(join(tmpdir(), 'poster-studio-'));
  mkdirSync(join(root, 'assets'));
  writeFileSync(join(root, 'index.html'), '<!doctype html>page');
  writeFileSync(join(root, 'assets', 'index-abc.js'), 'let a;');
  app = Fastify();
  await pageFiles(app, root);
});
afterEach(async () => {
  await app.close();
  rmSync(root, { recursive: true });
});

const get = (url: string) => app.inject({ url });

describe('the files of the page', () => {
  test.each(['/playground/', '/playground/?thread=thr_1', '/playground/some/link'])(
    '%s is the page, and is asked for again',
    async (url) => {
      const response = await get(url);
      expect(response.body).toContain('page');
      expect(response.headers['cache-control']).toBe('no-cache');
      expect(response.headers['content-security-policy']).toContain("default-src 'self'");
    },
  );

  test('hashed assets are kept for ever', async () => {
    expect((await get('/playground/assets/index-abc.js')).headers['cache-control']).toContain('immutable');
  });

  test.each([
    '/playground/assets/gone.js',
    '/playground/api/nothing',
    '/elsewhere',
    '/playground/%2e%2e/%2e%2e/etc/passwd',
  ])('%s is a 404 problem or the page, never a file outside', async (url) => {
    const response = await get(url);
    expect(response.body).not.toContain('root:');
    if (response.statusCode !== 200)
      expect(response.json()).toMatchObject({ code: 'not_found', status: 404 });
  });

  test('a page that is not built is said at the start', async () => {
    await expect(pageFiles(Fastify(), join(root, 'nowhere'))).rejects.toThrow(/not built/);
  });
});
