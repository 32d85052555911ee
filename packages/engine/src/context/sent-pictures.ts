import type { TenantId } from '@plinth/protocol';
import { ArtifactLost } from '../artifacts/artifact-store.js';
import type { ImageWalls } from '../images/image-pipeline.js';
import type { ImageRef, ImageStep, ImageVariant, UnreadableImage } from '../images/image-ref.js';
import type { ContextCut } from './context-cut.js';
import { type Draft, type DraftParts, draftRequest } from './draft-request.js';
import { digestRequest } from './fill-request.js';

/** Pictures that were sent before: looked up, never made. */
export interface SentPictures {
  find(
    tenant: TenantId,
    image: ImageRef,
    step: ImageStep,
    walls: ImageWalls,
  ): Promise<ImageVariant | UnreadableImage | null>;
  /** @throws ArtifactLost */
  bytes(tenant: TenantId, variant: ImageVariant): Promise<Uint8Array>;
  /** The address that was signed at that time (milliseconds since the Unix epoch). */
  urlAt(tenant: TenantId, variant: ImageVariant, at: number): string;
}

/** Finds out what the pictures of one request were sent as. */
export class PictureLookUp {
  areUnknown = false;
  areLost = false;

  constructor(
    private readonly pictures: SentPictures,
    private readonly tenant: TenantId,
    private readonly parts: DraftParts,
    /** When the request was made. */
    private readonly at: number,
  ) {}

  /** The draft with all in it that is known of its pictures. */
  async completed(cut: ContextCut): Promise<Draft> {
    const asked = new Set<string>();
    for (;;) {
      const draft = draftRequest(this.parts, cut);
      const wanted = draft.pictures.filter(
        ({ image, step, picture }) => picture === null && !asked.has(`${image.sha256}:${step}`),
      );
      if (wanted.length === 0) {
        this.areUnknown = draft.pictures.some(({ picture }) => picture === null);
        return draft;
      }
      for (const { image, step } of wanted) asked.add(`${image.sha256}:${step}`);
      await Promise.all(wanted.map(({ image, step }) => this.lookUp(image, step)));
    }
  }

  /** Null when not all of it is there. */
  async digestOf(draft: Draft): Promise<string | null> {
    if (this.areUnknown) return null;
    try {
      return await digestRequest(this.parts.fixed, draft, (variant) =>
        this.pictures.bytes(this.tenant, variant),
      );
    } catch (error) {
      if (!(error instanceof ArtifactLost)) throw error;
      this.areLost = true;
      return null;
    }
  }

  private async lookUp(image: ImageRef, step: ImageStep): Promise<void> {
    const { imageSide: side, imageBytes: bytes, imageFormats: formats, imageDelivery } = this.parts.profile;
    const variant = await this.pictures.find(this.tenant, image, step, { side, bytes, formats });
    if (variant === null) return;
    const isInline = 'unreadable' in variant || imageDelivery === 'inline';
    const url = isInline ? null : this.pictures.urlAt(this.tenant, variant, this.at);
    this.parts.known.add(image.sha256, step, 'unreadable' in variant ? variant : { variant, url });
  }
}
