import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Block } from './event-blocks.js';
import { createRecentBlocks } from './recent-blocks.js';

const aBlock = fc.record({ hasId: fc.boolean(), chars: fc.integer({ min: 1, max: 30 }) });

it('whatever is kept of a stream: what came behind a place is given whole, or not at all', () => {
  fc.assert(
    fc.property(
      fc.array(fc.array(aBlock, { maxLength: 4 }), { maxLength: 12 }),
      fc.nat(120),
      (batches, kept) => {
        const recent = createRecentBlocks(null, kept);
        const all: Block[] = [];
        for (const batch of batches) {
          const blocks = batch.map(({ hasId, chars }, index): Block => {
            const id = hasId ? `1-${all.length + index}` : null;
            return { id, text: 'x'.repeat(chars) };
          });
          all.push(...blocks);
          recent.add(blocks);
          const places = [null, ...all.flatMap(({ id }) => (id === null ? [] : [id]))];
          expect(recent.last()).toBe(places.at(-1));
          const given = places.map((place) => recent.after(place));
          for (const [index, blocksBehind] of given.entries()) {
            const start = all.findIndex(({ id }) => id !== null && id === places[index]) + 1;
            if (blocksBehind !== null) expect(blocksBehind).toEqual(all.slice(start));
          }
          expect(given.at(-1)).not.toBeNull();
          const whole = all.reduce((sum, { text }) => sum + text.length, 0);
          if (whole <= kept) expect(given).not.toContain(null);
        }
      },
    ),
  );
});

it('what it keeps is bounded, and heartbeats are not kept', () => {
  const recent = createRecentBlocks('1-0', 100);
  for (let n = 1; n <= 50; n += 1)
    recent.add([
      { id: `1-${n}`, text: 'x'.repeat(10) },
      { id: null, text: ': heartbeat' },
    ]);
  expect(recent.after('1-40')).toHaveLength(10);
  expect(recent.after('1-39')).toBeNull();
  expect(recent.after('1-0')).toBeNull();
});
