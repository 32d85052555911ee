import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { PictureRenderer } from '../../src/images/picture-renderer.js';
import { TOO_MUCH_MEMORY } from '../../src/images/render-answer.js';
import type { RenderJob } from '../../src/images/render-picture.js';
import { quartered, svg } from './corpus.js';
import { RENDER_PROCESS } from './pipeline-fixture.js';

const WALLS = { side: 1000, bytes: 1_000_000, formats: ['image/jpeg'] } as const;
const jobOf = (bytes: Uint8Array): RenderJob => ({ bytes, step: 0, walls: WALLS });

let folder: string;
let sound: Buffer;
const renderers: PictureRenderer[] = [];
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'plinth-renderer-'));
  sound = await quartered().png().toBuffer();
});
afterEach(() => {
  for (const renderer of renderers.splice(0)) renderer.close();
});
afterAll(() => rm(folder, { recursive: true, force: true }));

function rendererOf(entry: URL, settings: { processes?: number; timeoutMs?: number } = {}): PictureRenderer {
  const renderer = new PictureRenderer(entry, settings);
  renderers.push(renderer);
  return renderer;
}

/** A process that answers a job with this JavaScript. */
async function processThat(does: string): Promise<URL> {
  const file = join(folder, `${Math.random().toString(36).slice(2)}.mjs`);
  await writeFile(file, `process.on('message', (job) => { ${does} });\nprocess.send({ kind: 'ready' });`);
  return pathToFileURL(file);
}

test('a drawing that is made to be slow is given up in time, and the next picture is made', async () => {
  const layers = '<feTurbulence baseFrequency="0.9" numOctaves="200" result="a"/>'.repeat(20);
  const slow = svg(
    `<filter id="f" x="0" y="0" width="1" height="1">${layers}</filter><rect width="100%" height="100%" filter="url(#f)"/>`,
    'width="9000" height="9000"',
  );
  const renderer = rendererOf(RENDER_PROCESS, { timeoutMs: 5_000 });
  expect(await renderer.render(jobOf(slow))).toEqual({
    kind: 'gaveUp',
    reason: 'The picture could not be decoded within 5 s.',
  });
  expect((await rendererOf(RENDER_PROCESS).render(jobOf(sound))).kind).toBe('picture');
}, 60_000);

test('a decoder that breaks off takes nothing with it but its own picture', async () => {
  const renderer = rendererOf(await processThat(`process.kill(process.pid, 'SIGSEGV')`));
  const both = await Promise.all([renderer.render(jobOf(sound)), renderer.render(jobOf(sound))]);
  for (const result of both)
    expect(result).toEqual({
      kind: 'gaveUp',
      reason: 'The picture could not be decoded: the decoder broke off.',
    });
});

test('a picture that takes too much memory is said to', async () => {
  const renderer = rendererOf(await processThat(`process.exit(${TOO_MUCH_MEMORY})`));
  expect(await renderer.render(jobOf(sound))).toEqual({
    kind: 'gaveUp',
    reason: 'The picture takes too much memory to decode.',
  });
});

test('no more are made at once than there are processes, and a process is used again', async () => {
  const answer = `const rendered = { kind: 'unreadable', reason: String(process.pid) };
    setImmediate(() => process.send(rendered));`;
  const renderer = rendererOf(await processThat(answer), { processes: 2 });
  const results = await Promise.all(Array.from({ length: 12 }, () => renderer.render(jobOf(sound))));
  const processes = new Set(results.map((result) => (result.kind === 'unreadable' ? result.reason : '')));
  expect(processes.has('')).toBe(false);
  expect(processes.size).toBeLessThanOrEqual(2);
});

test('a process sees nothing of the environment, which holds secrets', async () => {
  process.env.PLINTH_TEST_SECRET = 'a secret';
  const answer = `process.send({ kind: 'unreadable', reason: JSON.stringify(process.env) })`;
  const result = await rendererOf(await processThat(answer)).render(jobOf(sound));
  delete process.env.PLINTH_TEST_SECRET;
  expect(JSON.stringify(result)).not.toContain('a secret');
});

test('a renderer that was closed makes no more, and gives up what it was making', async () => {
  const renderer = rendererOf(await processThat(''));
  const running = renderer.render(jobOf(sound));
  await new Promise(setImmediate);
  renderer.close();
  expect((await running).kind).toBe('gaveUp');
  await expect(renderer.render(jobOf(sound))).rejects.toThrow('closing');
});
