import { LAST_STEP } from '../images/image-ladder.js';
import type { ContextCut } from './context-cut.js';
import type { Draft, DraftParts } from './draft-request.js';
import { bytesOfDraft, isLight, overloadOf, type Scales, wallOf } from './weigh-draft.js';

/** Characters that over-long texts of former runs are shortened to, when bytes ask for it. */
const SHORTENED_TO = [20_000, 2_000];

/** The first of growing numbers that will do; null when none does. What is larger than one that does, does as well. */
function smallest(candidates: readonly number[], does: (candidate: number) => boolean): number | null {
  let low = 0;
  let high = candidates.length;
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (does(candidates[middle] ?? 0)) high = middle;
    else low = middle + 1;
  }
  return candidates[low] ?? null;
}

const range = (from: number, to: number) =>
  Array.from({ length: Math.max(0, to - from) }, (_, n) => from + n);

/**
 * The ladder of what is said, least loss first: results of former runs become notes; over-long texts of former runs are
 * shortened, when there are too many bytes; the oldest exchanges leave; results of the current run become notes; and its
 * pictures give way. What a person has just asked, and what the model has done about it, stays.
 */
export class TextFitting {
  constructor(
    private readonly parts: DraftParts,
    private readonly scales: Scales,
    private readonly runFrom: number,
    private readonly draftOf: (cut: ContextCut) => Draft,
    /** Tokens that the summary of what leaves will need. */
    private readonly reserve: number,
  ) {}

  /** @param draft one that is too large */
  fit(draft: Draft): Draft {
    const rungs = [this.clear, this.shorten, this.leave, this.clearRun, this.sparePictures];
    let current = draft;
    for (const rung of rungs) {
      if (overloadOf(this.scales, current) === null) break;
      current = rung.call(this, current);
    }
    return current;
  }

  private wall(draft: Draft): 'bytes' | 'tokens' {
    return overloadOf(this.scales, draft) ?? 'tokens';
  }

  private clear(draft: Draft): Draft {
    return this.clearTo(draft, this.runFrom);
  }

  /** The last answer's results are not read yet: they give way only where the endpoint would refuse them. */
  private clearRun(draft: Draft): Draft {
    const { length } = this.parts.units;
    const cleared = this.clearTo(draft, length - 1);
    return wallOf(this.scales, cleared) === null ? cleared : this.clearTo(cleared, length);
  }

  private clearTo(draft: Draft, most: number): Draft {
    const { cut } = draft;
    if (most <= cut.clearedBefore) return draft;
    const walls = { ...cut.walls, result_cleared: this.wall(draft) };
    const at = (clearedBefore: number) => this.draftOf({ ...cut, clearedBefore, walls });
    const all = at(most);
    if (bytesOfDraft(all) === bytesOfDraft(draft)) return draft;
    const enough = smallest(range(cut.clearedBefore + 1, most), (n) => isLight(this.scales, at(n)));
    return enough === null ? all : at(enough);
  }

  private shorten(draft: Draft): Draft {
    if (overloadOf(this.scales, draft) !== 'bytes') return draft;
    const walls = { ...draft.cut.walls, text_shortened: 'bytes' as const };
    let shortest = draft;
    for (const length of SHORTENED_TO) {
      const to = Math.min(length, draft.cut.shortened?.to ?? length);
      const next = this.draftOf({ ...draft.cut, shortened: { before: this.runFrom, to }, walls });
      if (bytesOfDraft(next) < bytesOfDraft(shortest)) shortest = next;
      if (isLight(this.scales, shortest)) break;
    }
    return shortest;
  }

  /** A conversation begins with what a person said: some endpoints refuse one that does not. */
  private leave(draft: Draft): Draft {
    const { cut } = draft;
    const beginnings = this.parts.units
      .slice(0, this.runFrom + 1)
      .filter(({ kind, index }) => kind === 'user' && index > cut.from)
      .map(({ index }) => index);
    const last = beginnings.at(-1);
    if (last === undefined) return draft;
    const wall = this.wall(draft);
    const walls = { ...cut.walls, history_summarised: wall, history_dropped: wall };
    const at = (from: number) => this.draftOf({ ...cut, from, walls });
    return at(smallest(beginnings, (from) => isLight(this.scales, at(from), this.reserve)) ?? last);
  }

  private sparePictures(draft: Draft): Draft {
    let current = draft;
    for (let step = 1; step <= LAST_STEP; step += 1) {
      if (wallOf(this.scales, current) === null) return current;
      const images = { ...current.cut.images };
      for (const { image, step: now } of current.pictures) images[image.sha256] = Math.max(now, step);
      current = this.draftOf({ ...current.cut, images, walls: this.pictureWalls(current, 'image_reduced') });
    }
    while (wallOf(this.scales, current) !== null) {
      const [oldest] = current.pictures;
      if (oldest === undefined) break;
      const removed = { ...current.cut.removed, [oldest.image.sha256]: this.parts.units.length };
      current = this.draftOf({ ...current.cut, removed, walls: this.pictureWalls(current, 'image_removed') });
    }
    return current;
  }

  private pictureWalls(draft: Draft, code: 'image_reduced' | 'image_removed'): ContextCut['walls'] {
    return { ...draft.cut.walls, [code]: wallOf(this.scales, draft) ?? 'tokens' };
  }
}
