import type { ContextReason } from '@plinth/protocol';
import { LAST_STEP } from '../images/image-ladder.js';
import type { ImageRef, ImageStep } from '../images/image-ref.js';
import type { ContextCut } from './context-cut.js';
import type { ContextPolicy } from './context-policy.js';
import { picturesOf } from './conversation-units.js';
import { base64Length, bytesInBody, type Draft, type DraftParts } from './draft-request.js';
import { sizeOf } from './known-pictures.js';

/** Share of a wall that pictures of former runs are brought under, so that the next ones find room. */
const ROOM_LEFT = 0.7;
/** Bytes of a picture below which a smaller rung saves nothing. */
const SMALL_BYTES = 16_000;

type Wall = ContextReason['wall'];

interface Held {
  image: ImageRef;
  step: ImageStep;
  bytes: number;
  /** Named in the current run: the last to go. */
  isOfRun: boolean;
}

/**
 * Brings the pictures under the walls: first by smaller rungs, the largest first, then without the oldest. Those that the
 * current run names are spared as long as there are others. Works on sizes alone, which may be guesses; whoever plans sees to
 * it that the sizes of the last plan are known.
 */
export class PictureFitting {
  private readonly held: Held[];
  private readonly images: ContextCut['images'];
  private readonly removed: ContextCut['removed'];
  private readonly walls: ContextCut['walls'];

  constructor(
    private readonly parts: DraftParts,
    private readonly policy: ContextPolicy,
    private readonly runFrom: number,
    private readonly draft: Draft,
  ) {
    const ofRun = new Set(
      parts.units.slice(runFrom).flatMap((unit) => picturesOf(unit).map(({ sha256 }) => sha256)),
    );
    this.held = draft.pictures.map((shown) => ({
      image: shown.image,
      step: shown.step,
      bytes: bytesInBody(shown),
      isOfRun: ofRun.has(shown.image.sha256),
    }));
    this.images = { ...draft.cut.images };
    this.removed = { ...draft.cut.removed };
    this.walls = { ...draft.cut.walls };
  }

  /** The cut with which the pictures fit as far as pictures can. The same cut when they did before. */
  fit(): ContextCut {
    const before = JSON.stringify([this.images, this.removed]);
    this.fitCount();
    this.fitEach();
    this.fitTotal();
    if (JSON.stringify([this.images, this.removed]) === before) return this.draft.cut;
    return { ...this.draft.cut, images: this.images, removed: this.removed, walls: this.walls };
  }

  private fitCount(): void {
    const { maxImages } = this.policy.profile;
    if (this.held.length <= maxImages) return;
    const soft = Math.floor(maxImages * ROOM_LEFT);
    this.removeOldest('image_count', (isOfRun) => this.held.length > (isOfRun ? maxImages : soft));
  }

  /** A picture that its own wall does not let through, though it was made for it: one that cannot be made smaller. */
  private fitEach(): void {
    for (const held of [...this.held]) {
      while (held.bytes > base64Length(this.policy.profile.imageBytes) && held.step < LAST_STEP)
        this.reduce(held, 'image_bytes');
      if (held.bytes > base64Length(this.policy.profile.imageBytes)) this.remove(held, 'image_bytes');
    }
  }

  private fitTotal(): void {
    const { compactAtBytes, compactToBytes, profile } = this.policy;
    const total = profile.imagesTotalBytes ?? Number.POSITIVE_INFINITY;
    const ofBody = compactAtBytes - this.draft.textBytes;
    const most = Math.min(ofBody, total);
    if (this.sum() <= most) return;
    const soft = Math.min(compactToBytes - this.draft.textBytes, total * ROOM_LEFT);
    const wall: Wall = total < ofBody ? 'images_total_bytes' : 'bytes';
    const isTooMuch = (isOfRun: boolean) => this.sum() > (isOfRun ? most : soft);
    for (let largest = this.largest(isTooMuch); largest; largest = this.largest(isTooMuch))
      this.reduce(largest, wall);
    if (this.sum() > most) this.removeOldest(wall, isTooMuch);
  }

  /** One of the current run counts half: what was just shown is to be seen well. */
  private largest(isTooMuch: (isOfRun: boolean) => boolean): Held | undefined {
    const weight = ({ bytes, isOfRun }: Held) => (isOfRun ? bytes / 2 : bytes);
    return this.held
      .filter(({ step, bytes, isOfRun }) => step < LAST_STEP && bytes > SMALL_BYTES && isTooMuch(isOfRun))
      .reduce<Held | undefined>(
        (most, one) => (most === undefined || weight(one) > weight(most) ? one : most),
        undefined,
      );
  }

  private removeOldest(wall: Wall, isTooMuch: (isOfRun: boolean) => boolean): void {
    for (const isOfRun of [false, true])
      for (const held of this.held.filter((one) => one.isOfRun === isOfRun))
        if (isTooMuch(isOfRun)) this.remove(held, wall);
  }

  private reduce(held: Held, wall: Wall): void {
    held.step += 1;
    const size = sizeOf(this.parts.known, this.parts.profile, held.image, held.step);
    held.bytes = base64Length(size?.sizeBytes ?? 0);
    this.images[held.image.sha256] = held.step;
    this.walls.image_reduced = wall;
  }

  private remove(held: Held, wall: Wall): void {
    this.held.splice(this.held.indexOf(held), 1);
    // A later place of the current run shows it, unless it is the current run's turn to give way.
    this.removed[held.image.sha256] = held.isOfRun ? this.parts.units.length : this.runFrom;
    this.walls.image_removed = wall;
  }

  private sum(): number {
    return this.held.reduce((total, { bytes }) => total + bytes, 0);
  }
}
