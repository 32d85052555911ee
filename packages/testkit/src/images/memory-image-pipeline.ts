import { createHash } from 'node:crypto';
import {
  type Clock,
  IMAGE_LADDER,
  type ImagePipeline,
  type ImageRef,
  type ImageStep,
  type ImageVariant,
  type ImageWalls,
  type Rung,
  type UnreadableImage,
} from '@plinth/engine';
import type { ArtifactId, TenantId } from '@plinth/protocol';
import { anId } from '../ledger/builders.js';

/** Bytes a pixel of a photo as JPEG of full quality. */
const BYTES_A_PIXEL = 0.5;
/** Milliseconds for which a URL stays the same. */
const URL_LIFE_MS = 3_600_000;

interface KnownPicture {
  width: number;
  height: number;
  unreadable?: string;
}

/** Pictures that are sizes and nothing else: what a model would get of them follows from the ladder. */
export class MemoryImagePipeline implements ImagePipeline {
  readonly #pictures = new Map<string, KnownPicture>();
  /** Variants asked for, in order. */
  readonly asked: { sha256: string; step: ImageStep }[] = [];

  constructor(private readonly clock: Pick<Clock, 'now'> = { now: () => 0 }) {}

  /** A picture of a tenant. Without `unreadable` it is one of these pixels. */
  add(tenant: TenantId, picture: KnownPicture, fields: Partial<ImageRef> = {}): ImageRef {
    const sha256 = fields.sha256 ?? createHash('sha256').update(anId('artifact')).digest('hex');
    const storageKey = `${tenant}/${sha256}`;
    this.#pictures.set(storageKey, picture);
    return {
      sha256,
      storageKey,
      artifactId: anId<ArtifactId>('artifact'),
      title: 'A picture',
      mimeType: 'image/jpeg',
      sizeBytes: sizeOf(picture.width, picture.height, 100),
      ...fields,
    };
  }

  async variant(
    tenant: TenantId,
    { sha256, storageKey }: ImageRef,
    step: ImageStep,
    walls: ImageWalls,
    signal: AbortSignal,
  ): Promise<ImageVariant | UnreadableImage> {
    signal.throwIfAborted();
    const picture = this.#pictures.get(storageKey);
    if (picture === undefined || !storageKey.startsWith(`${tenant}/`))
      throw new Error(`there is no ${storageKey}`);
    if (IMAGE_LADDER[step] === undefined) throw new Error(`there is no step ${step}`);
    this.asked.push({ sha256, step });
    if (picture.unreadable !== undefined) return { sha256, unreadable: picture.unreadable };
    const mimeType = walls.formats[0];
    if (mimeType === undefined) return { sha256, unreadable: 'The model takes no pictures.' };
    const last = IMAGE_LADDER.at(-1) as Rung;
    const rungs = [...IMAGE_LADDER.slice(step), ...[256, 128, 64, 32].map((side) => ({ ...last, side }))];
    for (const rung of rungs) {
      const sized = within(picture, Math.min(rung.side, walls.side));
      const sizeBytes = sizeOf(sized.width, sized.height, rung.quality);
      const key = `${tenant}/${sha256}-${sized.width}-${rung.quality}-${sizeBytes}`;
      if (sizeBytes <= walls.bytes) return { sha256, step, mimeType, ...sized, sizeBytes, storageKey: key };
    }
    return { sha256, unreadable: 'The picture cannot be made small enough.' };
  }

  async bytes(tenant: TenantId, { storageKey, sizeBytes }: ImageVariant): Promise<Uint8Array> {
    if (!storageKey.startsWith(`${tenant}/`)) throw new Error(`there is no ${storageKey}`);
    return new Uint8Array(sizeBytes).fill(7);
  }

  url(tenant: TenantId, { storageKey }: ImageVariant): string {
    const life = Math.floor(this.clock.now() / URL_LIFE_MS);
    return `http://images.test/${tenant}/${encodeURIComponent(storageKey)}?life=${life}`;
  }
}

const sizeOf = (width: number, height: number, quality: number) =>
  Math.max(100, Math.floor((width * height * BYTES_A_PIXEL * quality) / 100));

function within({ width, height }: KnownPicture, side: number): { width: number; height: number } {
  const scale = Math.min(1, side / Math.max(width, height));
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) };
}
