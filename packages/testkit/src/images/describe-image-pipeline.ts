import {
  type ImagePipeline,
  type ImageRef,
  type ImageVariant,
  type ImageWalls,
  LAST_STEP,
  type UnreadableImage,
} from '@plinth/engine';
import type { TenantId } from '@plinth/protocol';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

export interface ImagePipelineUnderTest {
  pipeline: ImagePipeline;
  /** Two tenants that are there. */
  tenants: readonly [TenantId, TenantId];
  /** Something like a photo, of this size. */
  addPhoto(tenant: TenantId, width: number, height: number): Promise<ImageRef>;
  /** Bytes that are no picture. */
  addBroken(tenant: TenantId): Promise<ImageRef>;
  /** Lets time pass for what the pipeline signs. */
  pass(milliseconds: number): void;
  close(): Promise<void>;
}

const WALLS: ImageWalls = {
  side: 2_000,
  bytes: 1_000_000,
  formats: ['image/jpeg', 'image/png', 'image/webp'],
};
const DAY_MS = 86_400_000;
/** Milliseconds for a rule: a busy machine decodes slowly. */
const TIMEOUT_MS = 120_000;

/** The rules of every `ImagePipeline`. */
export function describeImagePipeline(name: string, open: () => Promise<ImagePipelineUnderTest>): void {
  describe(`image pipeline: ${name}`, { timeout: TIMEOUT_MS }, () => {
    let underTest: ImagePipelineUnderTest;
    let acme: TenantId;
    let bolt: TenantId;
    let photo: ImageRef;
    beforeAll(async () => {
      underTest = await open();
      [acme, bolt] = underTest.tenants;
      photo = await underTest.addPhoto(acme, 400, 300);
    });
    afterAll(() => underTest.close());

    const ask = (
      image: ImageRef,
      step: number,
      walls = WALLS,
      tenant = acme,
      signal = new AbortController().signal,
    ) => underTest.pipeline.variant(tenant, image, step, walls, signal);
    const variantOf = async (step: number, walls = WALLS): Promise<ImageVariant> => {
      const result = await ask(photo, step, walls);
      if ('unreadable' in result) throw new Error(result.unreadable);
      return result;
    };
    const steps = Array.from({ length: LAST_STEP + 1 }, (_, step) => step);

    it('keeps within the walls on every step, and its bytes are as many as it says', async () => {
      for (const walls of [WALLS, { ...WALLS, side: 200 }, { ...WALLS, bytes: 8_000 }])
        for (const step of [0, 1, LAST_STEP]) {
          const variant = await variantOf(step, walls);
          expect(variant).toMatchObject({ sha256: photo.sha256, step });
          expect(Math.max(variant.width, variant.height)).toBeLessThanOrEqual(walls.side);
          expect(variant.sizeBytes).toBeLessThanOrEqual(walls.bytes);
          expect(walls.formats).toContain(variant.mimeType);
          expect(await underTest.pipeline.bytes(acme, variant)).toHaveLength(variant.sizeBytes);
        }
    });

    it('takes the picture as it is on the first step where the walls allow it', async () => {
      expect(await variantOf(0)).toMatchObject({ width: 400, height: 300 });
    });

    it('has no more bytes on a higher step, and of a large photo on the last less than a tenth', async () => {
      const large = await underTest.addPhoto(acme, 1_600, 1_200);
      const sizes = await Promise.all(
        steps.map(async (step) => ((await ask(large, step)) as ImageVariant).sizeBytes),
      );
      expect(sizes).toEqual([...sizes].sort((a, b) => b - a));
      expect(sizes.at(-1)).toBeLessThan((sizes[0] ?? 0) / 10);
    });

    it('says the same every time, and to many at once', async () => {
      const all = await Promise.all(Array.from({ length: 5 }, () => variantOf(2, { ...WALLS, side: 301 })));
      for (const one of all) expect(one).toEqual(all[0]);
      expect(await variantOf(2, { ...WALLS, side: 301 })).toEqual(all[0]);
    });

    it('says why a picture cannot be shown, in the same words on every step', async () => {
      const broken = await underTest.addBroken(acme);
      const texts = await Promise.all(
        steps.map(async (step) => (await ask(broken, step)) as UnreadableImage),
      );
      expect(texts[0]?.unreadable).toMatch(/^[A-Z].*\.$/);
      for (const text of texts)
        expect(text).toEqual({ sha256: broken.sha256, unreadable: texts[0]?.unreadable });
    });

    it("does not know another tenant's picture", async () => {
      await expect(ask(photo, 0, WALLS, bolt)).rejects.toThrow();
      const variant = await variantOf(0);
      await expect(underTest.pipeline.bytes(bolt, variant)).rejects.toThrow();
      expect(underTest.pipeline.url(bolt, variant)).not.toBe(underTest.pipeline.url(acme, variant));
    });

    it('ends with the reason of a signal that has been aborted', async () => {
      const gone = AbortSignal.abort(new Error('the run was cancelled'));
      await expect(ask(photo, 1, WALLS, acme, gone)).rejects.toThrow('the run was cancelled');
    });

    it('has no step beyond the ladder', async () => {
      await expect(ask(photo, LAST_STEP + 1)).rejects.toThrow();
    });

    it('gives the same URL again, and another one when a day has passed', async () => {
      const variant = await variantOf(0);
      const url = underTest.pipeline.url(acme, variant);
      expect(URL.canParse(url)).toBe(true);
      expect(underTest.pipeline.url(acme, variant)).toBe(url);
      underTest.pass(DAY_MS);
      expect(underTest.pipeline.url(acme, variant)).not.toBe(url);
    });
  });
}
