import { spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { freePort, until } from '@plinth/testkit/system';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Mcp, openMcp, textOf } from './mcp-fixture.js';

/** Servers that others have written. */
const require = createRequire(import.meta.url);
const programOf = (name: string) =>
  join(dirname(require.resolve(`@modelcontextprotocol/${name}/package.json`)), 'dist', 'index.js');
const EVERYTHING = programOf('server-everything');

let mcp: Mcp;
beforeEach(async () => {
  mcp = await openMcp();
});
afterEach(() => mcp.close());

async function startEverythingHttp(): Promise<{ url: string; stop(): Promise<void> }> {
  const port = await freePort();
  const child = spawn(process.execPath, [EVERYTHING, 'streamableHttp'], {
    env: { PATH: process.env.PATH, PORT: String(port) },
    stdio: 'ignore',
  });
  const url = `http://127.0.0.1:${port}/mcp`;
  const gone = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  await until('the server listens', () =>
    fetch(url).then(
      () => true,
      () => false,
    ),
  );
  return {
    url,
    async stop() {
      child.kill('SIGKILL');
      await gone;
    },
  };
}

let everything: Awaited<ReturnType<typeof startEverythingHttp>>;
beforeAll(async () => {
  everything = await startEverythingHttp();
}, 30_000);
afterAll(() => everything?.stop());

describe.each([
  {
    over: 'stdio',
    transport: () => ({ kind: 'stdio', command: process.execPath, args: [EVERYTHING, 'stdio'] }),
  },
  { over: 'Streamable HTTP', transport: () => ({ kind: 'streamable_http', url: everything.url }) },
])('server-everything over $over', ({ transport }) => {
  beforeEach(() => void mcp.register('everything', transport()));

  test('takes arguments and returns text', async () => {
    expect(textOf(await mcp.call('everything', 'echo', { message: 'tea' }))).toBe('Echo: tea');
    expect(textOf(await mcp.call('everything', 'get-sum', { a: 2, b: 40 }))).toContain('42');
  });

  test('reports the progress of a long call', async () => {
    const shares: (number | null)[] = [];
    const outcome = await mcp.call(
      'everything',
      'trigger-long-running-operation',
      { duration: 1, steps: 4 },
      { onProgress: ({ progress }) => shares.push(progress) },
    );
    expect(textOf(outcome)).toContain('completed');
    expect(shares).toEqual(expect.arrayContaining([0.25, 0.5, 0.75]));
  });

  test('returns a picture as a file whose kind is that of its bytes', async () => {
    expect(await mcp.call('everything', 'get-tiny-image')).toMatchObject({
      kind: 'succeeded',
      files: [{ kind: 'image', mimeType: 'image/png' }],
    });
  });

  test('returns a structured value as it is', async () => {
    const outcome = await mcp.call('everything', 'get-structured-content', { location: 'New York' });
    expect(outcome).toMatchObject({
      kind: 'succeeded',
      value: { temperature: expect.any(Number), conditions: expect.any(String) },
    });
  });

  test('says what is wrong with arguments', async () => {
    const outcome = await mcp.call('everything', 'get-sum', { a: 'two' });
    expect(outcome).toMatchObject({ kind: 'failed', error: { message: expect.stringMatching(/a|number/) } });
  });
});

describe('server-filesystem over stdio', () => {
  let directory: string;
  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'plinth-mcp-files-'));
    await writeFile(join(directory, 'note.txt'), 'buy tea');
    const args = [programOf('server-filesystem'), directory];
    mcp.register('files', { kind: 'stdio', command: process.execPath, args }, { exclude: ['write_*'] });
  });
  afterEach(() => rm(directory, { recursive: true, force: true }));

  test('reads what it may, and refuses what is outside in words for the model', async () => {
    const read = await mcp.call('files', 'read_text_file', { path: join(directory, 'note.txt') });
    expect(JSON.stringify(read)).toContain('buy tea');
    expect(await mcp.call('files', 'read_text_file', { path: '/etc/passwd' })).toMatchObject({
      kind: 'failed',
      error: { code: 'remote_error', message: expect.stringContaining('Access denied') },
    });
  });

  test('is not asked to do what its registration leaves out', async () => {
    const path = join(directory, 'new.txt');
    expect(await mcp.call('files', 'write_file', { path, content: 'x' })).toMatchObject({
      error: { code: 'not_permitted' },
    });
  });
});
