import { randomBytes } from 'node:crypto';
import type { ImageRef, ImageVariant, ImageWalls } from '@plinth/engine';
import { LAST_STEP } from '@plinth/engine';
import { describeImagePipeline } from '@plinth/testkit';
import fc from 'fast-check';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { storageKeyOf } from '../../src/artifacts/storage-key.js';
import { type RenderJob, renderPicture } from '../../src/images/render-picture.js';
import type { AddedTenant } from '../database-fixture.js';
import { photo } from './corpus.js';
import { openPipelines } from './pipeline-fixture.js';

const WALLS: ImageWalls = {
  side: 2048,
  bytes: 5_000_000,
  formats: ['image/jpeg', 'image/png', 'image/webp'],
};
const never = new AbortController().signal;

describeImagePipeline('sharp, Postgres and disk', async () => {
  const fixture = await openPipelines();
  const [acme, bolt] = [await fixture.addTenant(), await fixture.addTenant()];
  return {
    pipeline: fixture.pipeline(),
    tenants: [acme.id, bolt.id],
    addPhoto: async (tenant, width, height) =>
      fixture.add(tenant, await photo(width, height).jpeg().toBuffer()),
    addBroken: (tenant) => fixture.add(tenant, randomBytes(2_000)),
    pass: (milliseconds) => fixture.clock.advance(milliseconds),
    close: () => fixture.close(),
  };
});

describe('variants are made once, and kept', { timeout: 120_000 }, () => {
  let fixture: Awaited<ReturnType<typeof openPipelines>>;
  let acme: AddedTenant;
  beforeAll(async () => {
    fixture = await openPipelines();
    acme = await fixture.addTenant();
  });
  afterAll(() => fixture.close());

  const addPhoto = async (width = 640, height = 480) =>
    fixture.add(acme.id, await photo(width, height).jpeg({ quality: 95 }).toBuffer());
  const rendered = async (work: () => Promise<unknown>): Promise<number> => {
    const before = fixture.jobs.length;
    await work();
    return fixture.jobs.length - before;
  };

  test('in one process, whoever asks, and however many at once', async () => {
    const image = await addPhoto();
    const pipeline = fixture.pipeline();
    const ask = () => pipeline.variant(acme.id, image, 0, WALLS, never);
    expect(await rendered(() => Promise.all([ask(), ask(), ask()]))).toBe(1);
    expect(await rendered(ask)).toBe(0);
  });

  test('for all processes: another one reads what the first has made, byte for byte', async () => {
    const image = await addPhoto();
    const [here, there] = [fixture.pipeline(), fixture.pipeline()];
    const made = (await here.variant(acme.id, image, 1, WALLS, never)) as ImageVariant;
    let read: unknown;
    expect(
      await rendered(async () => {
        read = await there.variant(acme.id, image, 1, WALLS, never);
      }),
    ).toBe(0);
    expect(read).toEqual(made);
    const [a, b] = [await here.bytes(acme.id, made), await there.bytes(acme.id, made)];
    expect(Buffer.from(a).equals(b)).toBe(true);
  });

  test('two processes that make the same at once both end with the same', async () => {
    const image = await addPhoto();
    const both = await Promise.all(
      [fixture.pipeline(), fixture.pipeline()].map((one) => one.variant(acme.id, image, 2, WALLS, never)),
    );
    expect(both[0]).toEqual(both[1]);
    expect(both[0]).toHaveProperty('storageKey');
  });

  test('that a picture cannot be read is kept too', async () => {
    const broken = await fixture.add(acme.id, randomBytes(500));
    const ask = () => fixture.pipeline().variant(acme.id, broken, 0, WALLS, never);
    expect(await rendered(ask)).toBe(1);
    expect(await rendered(ask)).toBe(0);
    expect(await ask()).toMatchObject({ unreadable: expect.stringContaining('damaged') });
  });

  test('a picture whose bytes are lost is one that cannot be shown, until they are there again', async () => {
    const bytes = await photo(64, 48).jpeg().toBuffer();
    const lost: ImageRef = { ...(await addPhoto()), ...storageKeyOf(acme.id, bytes) };
    const ask = () => fixture.pipeline().variant(acme.id, lost, 0, WALLS, never);
    expect(await ask()).toEqual({
      sha256: lost.sha256,
      unreadable: 'Its file is not in the store any more.',
    });
    await fixture.artifacts.put(acme.id, bytes);
    expect(await ask()).toHaveProperty('storageKey');
  });

  test('a variant whose bytes are lost is made again, in another process and in the same one', async () => {
    const image = await addPhoto();
    const here = fixture.pipeline();
    const made = (await here.variant(acme.id, image, 2, WALLS, never)) as ImageVariant;
    const bytes = await here.bytes(acme.id, made);
    await fixture.lose(made.storageKey);
    const there = fixture.pipeline();
    expect(await rendered(() => there.variant(acme.id, image, 2, WALLS, never))).toBe(1);
    expect(await there.variant(acme.id, image, 2, WALLS, never)).toEqual(made);
    expect(Buffer.from(await there.bytes(acme.id, made)).equals(bytes)).toBe(true);
    expect(await fixture.artifacts.get(acme.id, made.storageKey)).toHaveLength(made.sizeBytes);

    // One that remembers what became of the picture, and no longer its bytes.
    const forgetful = fixture.pipeline({ keptBytes: 1 });
    await forgetful.variant(acme.id, image, 2, WALLS, never);
    await fixture.lose(made.storageKey);
    expect(Buffer.from(await forgetful.bytes(acme.id, made)).equals(bytes)).toBe(true);
  });

  test('a variant that is lost with its original cannot be shown, and no error is made of it', async () => {
    const image = await addPhoto();
    const made = (await fixture.pipeline().variant(acme.id, image, 0, WALLS, never)) as ImageVariant;
    await Promise.all([fixture.lose(made.storageKey), fixture.lose(image.storageKey)]);
    expect(await fixture.pipeline().variant(acme.id, image, 0, WALLS, never)).toEqual({
      sha256: image.sha256,
      unreadable: 'Its file is not in the store any more.',
    });
  });

  test('one whose bytes come out otherwise the second time has the new ones', async () => {
    const image = await addPhoto();
    const made = (await fixture.pipeline().variant(acme.id, image, 0, WALLS, never)) as ImageVariant;
    await fixture.lose(made.storageKey);
    const other = randomBytes(10);
    const pipeline = fixture.pipeline({
      render: async () => ({ kind: 'picture', bytes: other, mimeType: 'image/jpeg', width: 2, height: 1 }),
    });
    expect(await pipeline.variant(acme.id, image, 0, WALLS, never)).toMatchObject({ width: 2 });
    const read = (await fixture.pipeline().variant(acme.id, image, 0, WALLS, never)) as ImageVariant;
    expect(Buffer.from(await fixture.pipeline().bytes(acme.id, read)).equals(other)).toBe(true);
  });

  test('other walls are other variants; another order of formats is not', async () => {
    const image = await addPhoto();
    const pipeline = fixture.pipeline();
    await pipeline.variant(acme.id, image, 0, WALLS, never);
    const turned = { ...WALLS, formats: [...WALLS.formats].reverse() };
    expect(await rendered(() => pipeline.variant(acme.id, image, 0, turned, never))).toBe(0);
    expect(await rendered(() => pipeline.variant(acme.id, image, 0, { ...WALLS, side: 300 }, never))).toBe(1);
  });

  test('one who has gone away does not stop the making for the others', async () => {
    const image = await addPhoto();
    const pipeline = fixture.pipeline();
    const leaving = new AbortController();
    const gone = pipeline.variant(acme.id, image, 0, WALLS, leaving.signal);
    const stays = pipeline.variant(acme.id, image, 0, WALLS, never);
    leaving.abort(new Error('cancelled'));
    await expect(gone).rejects.toThrow('cancelled');
    expect(await stays).toHaveProperty('storageKey');
  });

  test('what a machine had no time for is said, not kept, and tried again after ten minutes', async () => {
    const image = await addPhoto();
    let isBusy = true;
    const pipeline = fixture.pipeline({
      render: async (job) => {
        fixture.jobs.push(job);
        if (isBusy) return { kind: 'gaveUp', reason: 'It took too long.' };
        return { kind: 'picture', bytes: randomBytes(10), mimeType: 'image/jpeg', width: 1, height: 1 };
      },
    });
    const ask = () => pipeline.variant(acme.id, image, 0, WALLS, never);
    expect(await ask()).toEqual({ sha256: image.sha256, unreadable: 'It took too long.' });
    isBusy = false;
    expect(await rendered(ask)).toBe(0);
    fixture.clock.advance(600_001);
    expect(await ask()).toMatchObject({ width: 1 });
  });

  test('a rung that would come to more bytes than the one above it is the one above it', async () => {
    const stripes = await fixture.add(acme.id, await ofKind('stripes', 770, 500));
    const pipeline = fixture.pipeline();
    const walls: ImageWalls = { ...WALLS, formats: ['image/png'] };
    const ask = async (step: number) =>
      (await pipeline.variant(acme.id, stripes, step, walls, never)) as ImageVariant;
    const above = await ask(LAST_STEP - 2);
    expect(await ask(LAST_STEP - 1)).toEqual({ ...above, step: LAST_STEP - 1 });
    const rendered = fixture.jobs.at(-1);
    expect(rendered?.step).toBe(LAST_STEP - 1);
    const alone = await renderPicture(rendered as RenderJob);
    expect(alone.kind === 'picture' && alone.bytes.byteLength).toBeGreaterThan(above.sizeBytes);
  });

  test('down the ladder bytes never grow, whatever the picture', async () => {
    const pipeline = fixture.pipeline();
    const side = fc.integer({ min: 1, max: 900 });
    const drawn = fc.record({
      width: side,
      height: side,
      kind: fc.constantFrom('photo', 'flat', 'stripes', 'alpha'),
      walls: fc.record({
        side: fc.integer({ min: 40, max: 1000 }),
        bytes: fc.integer({ min: 2_000, max: 200_000 }),
        formats: fc.constantFrom<ImageWalls['formats']>(
          ['image/jpeg'],
          ['image/png'],
          ['image/webp', 'image/png'],
        ),
      }),
    });
    await fc.assert(
      fc.asyncProperty(drawn, async ({ width, height, kind, walls }) => {
        const image = await fixture.add(acme.id, await ofKind(kind, width, height));
        let above = Number.POSITIVE_INFINITY;
        for (let step = 0; step <= LAST_STEP; step += 1) {
          const variant = await pipeline.variant(acme.id, image, step, walls, never);
          if ('unreadable' in variant) return;
          expect(variant.sizeBytes).toBeLessThanOrEqual(above);
          expect(variant.sizeBytes).toBeLessThanOrEqual(walls.bytes);
          above = variant.sizeBytes;
        }
      }),
      {
        numRuns: 8,
        examples: [
          [
            {
              width: 770,
              height: 500,
              kind: 'stripes',
              walls: { side: 1_000, bytes: 200_000, formats: ['image/png'] },
            },
          ],
        ],
      },
    );
  });
});

/** Stripes of single pixels are smaller as PNG than what is left of them when they are scaled down. */
async function ofKind(kind: string, width: number, height: number): Promise<Buffer> {
  if (kind === 'photo') return photo(width, height).jpeg().toBuffer();
  if (kind === 'flat')
    return sharp({ create: { width, height, channels: 3, background: '#456' } })
      .png()
      .toBuffer();
  if (kind === 'alpha')
    return sharp({ create: { width, height, channels: 4, background: { r: 1, g: 2, b: 3, alpha: 0.5 } } })
      .png()
      .toBuffer();
  const pixels = Buffer.alloc(width * height * 3);
  for (let at = 0; at < width * height; at += 1) pixels.fill(((at % width) % 3) * 127, at * 3, at * 3 + 3);
  return sharp(pixels, { raw: { width, height, channels: 3 } })
    .png()
    .toBuffer();
}
