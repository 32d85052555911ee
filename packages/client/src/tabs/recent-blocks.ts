import type { Block } from './event-blocks.js';

/** What a stream has brought lately, for the tabs that come to it later. */
export type RecentBlocks = {
  add(blocks: readonly Block[]): void;
  /** What came behind a place; null when that place is not among what is kept. `null` is the place before everything. */
  after(cursor: string | null): Block[] | null;
  /** The last place. */
  last(): string | null;
};

/** Characters: more than the log of a long message holds, and little for a page. */
const KEPT_CHARS = 1_000_000;

/** @param start the place behind which the stream begins */
export function createRecentBlocks(start: string | null, keptChars = KEPT_CHARS): RecentBlocks {
  let before = start;
  let blocks: Block[] = [];
  let chars = 0;
  let last = start;

  /** Drops the oldest until the rest fits. Only behind a place can the kept part begin. */
  function forget(): void {
    let left = chars;
    let count = 0;
    for (const [index, { id, text }] of blocks.entries()) {
      if (chars <= keptChars) break;
      left -= text.length;
      if (id !== null) [before, count, chars] = [id, index + 1, left];
    }
    blocks = blocks.slice(count);
  }

  return {
    add(added) {
      for (const block of added) {
        if (block.text.startsWith(':')) continue;
        blocks.push(block);
        chars += block.text.length;
        last = block.id ?? last;
      }
      if (chars > keptChars) forget();
    },
    after(cursor) {
      if (cursor === before) return [...blocks];
      const place = cursor === null ? -1 : blocks.findLastIndex(({ id }) => id === cursor);
      return place === -1 ? null : blocks.slice(place + 1);
    },
    last: () => last,
  };
}
