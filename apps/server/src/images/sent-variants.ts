import type {
  ArtifactStore,
  ImageRef,
  ImageStep,
  ImageVariant,
  ImageWalls,
  SentPictures,
  UnreadableImage,
} from '@plinth/engine';
import type { TenantId } from '@plinth/protocol';
import type { ImageVariantRows } from './image-variant-rows.js';
import type { VariantUrls } from './variant-urls.js';
import { wallsKey } from './walls-key.js';

/** Variants that some request was made with. Looking makes none: that is the work of who sends them. */
export class SentVariants implements SentPictures {
  constructor(
    private readonly rows: Pick<ImageVariantRows, 'find'>,
    private readonly artifacts: ArtifactStore,
    private readonly urls: VariantUrls,
  ) {}

  find(
    tenant: TenantId,
    { sha256 }: ImageRef,
    step: ImageStep,
    walls: ImageWalls,
  ): Promise<ImageVariant | UnreadableImage | null> {
    return this.rows.find(tenant, { sha256, wallsKey: wallsKey(walls), step });
  }

  bytes(tenant: TenantId, { storageKey }: ImageVariant): Promise<Uint8Array> {
    return this.artifacts.get(tenant, storageKey);
  }

  urlAt(tenant: TenantId, variant: ImageVariant, at: number): string {
    return this.urls.sign(tenant, variant, at);
  }
}
