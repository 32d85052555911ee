import {
  ArtifactLost,
  type ArtifactStore,
  type Clock,
  type ImagePipeline,
  type ImageRef,
  type ImageStep,
  type ImageVariant,
  type ImageWalls,
  LAST_STEP,
  type UnreadableImage,
} from '@plinth/engine';
import type { TenantId } from '@plinth/protocol';
import { LRUCache } from 'lru-cache';
import type { ImageVariantRows } from './image-variant-rows.js';
import type { PictureRenderer } from './picture-renderer.js';
import { unlessAborted } from './unless-aborted.js';
import type { VariantUrls } from './variant-urls.js';
import { wallsKey } from './walls-key.js';

type Result = ImageVariant | UnreadableImage;

/** Variants of which a process remembers what became of them; a few hundred bytes each. */
const REMEMBERED = 5_000;
/** Bytes of variants that a process keeps, unless told otherwise. */
const KEPT_BYTES = 64 * 1024 * 1024;
/** Milliseconds after which a picture that took too much time or memory is tried again. */
const TRY_AGAIN_MS = 600_000;
const LOST = 'Its file is not in the store any more.';

export interface PipelinePorts {
  rows: ImageVariantRows;
  artifacts: ArtifactStore;
  renderer: Pick<PictureRenderer, 'render'>;
  urls: VariantUrls;
  clock: Clock;
}

/**
 * Makes each variant once for each tenant, in whichever process needs it first, and keeps it in the store of artifacts. One
 * whose bytes are lost there is made again.
 * Down the ladder bytes never grow: where a rung comes to more bytes than the one above it, it is the one above.
 */
export class StoredImagePipeline implements ImagePipeline {
  readonly #known = new LRUCache<string, { result: Result; until: number }>({ max: REMEMBERED });
  readonly #bytes: LRUCache<string, Uint8Array>;
  readonly #making = new Map<string, Promise<Result>>();
  /** Makes a variant known by its place in the store once more. */
  readonly #again = new LRUCache<string, () => Promise<unknown>>({ max: REMEMBERED });

  /** @param keptBytes of variants that the process keeps */
  constructor(
    private readonly ports: PipelinePorts,
    keptBytes = KEPT_BYTES,
  ) {
    this.#bytes = new LRUCache({ maxSize: keptBytes, sizeCalculation: (bytes) => bytes.byteLength + 1 });
  }

  async variant(
    tenant: TenantId,
    image: ImageRef,
    step: ImageStep,
    walls: ImageWalls,
    signal: AbortSignal,
  ): Promise<Result> {
    signal.throwIfAborted();
    if (!Number.isInteger(step) || step < 0 || step > LAST_STEP)
      throw new Error(`there is no step ${step} on the ladder of pictures`);
    // One who waits no longer does not stop it: it is kept, and others may wait for it too.
    return unlessAborted(this.#result(tenant, image, step, walls), signal);
  }

  async bytes(tenant: TenantId, { storageKey }: ImageVariant): Promise<Uint8Array> {
    const kept = await this.#kept(tenant, storageKey);
    if (kept !== null) return kept;
    await this.#again.get(placeOf(tenant, storageKey))?.();
    // From the store itself, which says what is wrong when the variant could not be made again.
    return (await this.#kept(tenant, storageKey)) ?? this.ports.artifacts.get(tenant, storageKey);
  }

  url(tenant: TenantId, variant: ImageVariant): string {
    return this.ports.urls.sign(tenant, variant);
  }

  async #result(tenant: TenantId, image: ImageRef, step: ImageStep, walls: ImageWalls): Promise<Result> {
    const key = [tenant, image.sha256, wallsKey(walls), step].join('\n');
    const known = this.#known.get(key);
    if (known !== undefined && known.until > this.ports.clock.now()) return known.result;
    const running = this.#making.get(key);
    if (running !== undefined) return running;
    const making = this.#make(tenant, image, step, walls)
      .then(({ result, until }) => {
        this.#known.set(key, { result, until });
        if (!('unreadable' in result))
          this.#again.set(placeOf(tenant, result.storageKey), () => {
            this.#known.delete(key);
            return this.#result(tenant, image, step, walls);
          });
        return result;
      })
      .finally(() => this.#making.delete(key));
    this.#making.set(key, making);
    return making;
  }

  async #make(
    tenant: TenantId,
    image: ImageRef,
    step: ImageStep,
    walls: ImageWalls,
  ): Promise<{ result: Result; until: number }> {
    const { rows, artifacts, renderer, clock } = this.ports;
    const { sha256 } = image;
    const key = { sha256, wallsKey: wallsKey(walls), step };
    const forGood = (result: Result) => ({ result, until: Number.POSITIVE_INFINITY });
    const found = await rows.find(tenant, key);
    if (found !== null && ('unreadable' in found || (await this.#kept(tenant, found.storageKey)) !== null))
      return forGood(found);
    const above = step === 0 ? null : await this.#result(tenant, image, step - 1, walls);
    const soon = clock.now() + TRY_AGAIN_MS;
    if (above !== null && 'unreadable' in above) return { result: above, until: soon };
    const bytes = await artifacts.get(tenant, image.storageKey).catch(unlessLost);
    // The conversation goes on without it. Not kept for good: a store may be brought back.
    if (bytes === null)
      return { result: above === null ? { sha256, unreadable: LOST } : { ...above, step }, until: soon };
    const rendered = await renderer.render({ bytes, step, walls });
    if (rendered.kind === 'gaveUp') {
      const result = above === null ? { sha256, unreadable: rendered.reason } : { ...above, step };
      return { result, until: soon };
    }
    if (rendered.kind === 'unreadable') {
      const result = { sha256, unreadable: rendered.reason };
      return forGood(await rows.add(tenant, key, result, clock.now()));
    }
    const isSmaller = above === null || rendered.bytes.byteLength < above.sizeBytes;
    const { mimeType, width, height } = rendered;
    const result = isSmaller
      ? { sha256, step, mimeType, width, height, ...(await this.#put(tenant, rendered.bytes)) }
      : { ...above, step };
    // The same bytes again, unless they were made by another release.
    if (found !== null) return forGood(await rows.replace(tenant, key, result));
    return forGood(await rows.add(tenant, key, result, clock.now()));
  }

  /** Bytes as they are kept in the process or in the store; null when they are lost. */
  async #kept(tenant: TenantId, storageKey: string): Promise<Uint8Array | null> {
    const place = placeOf(tenant, storageKey);
    const known = this.#bytes.get(place);
    if (known !== undefined) return known;
    const bytes = await this.ports.artifacts.get(tenant, storageKey).catch(unlessLost);
    if (bytes !== null) this.#bytes.set(place, bytes);
    return bytes;
  }

  async #put(tenant: TenantId, bytes: Uint8Array): Promise<{ sizeBytes: number; storageKey: string }> {
    const { sizeBytes, storageKey } = await this.ports.artifacts.put(tenant, bytes);
    this.#bytes.set(placeOf(tenant, storageKey), bytes);
    return { sizeBytes, storageKey };
  }
}

const placeOf = (tenant: TenantId, storageKey: string): string => `${tenant}\n${storageKey}`;

function unlessLost(error: unknown): null {
  if (error instanceof ArtifactLost) return null;
  throw error;
}
