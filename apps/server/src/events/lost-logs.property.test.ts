import fc, { type Scheduler } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { acme, anyStep, at, FATES, LosingWorld, stream } from '../../test/losing-world.js';

describe('a log whose store loses what it had', () => {
  const runs = { numRuns: 500 };
  const first = fc.option(fc.constantFrom(...FATES));
  const steps = fc.array(anyStep, { maxLength: 40 });
  const property = (check: (world: LosingWorld, scheduler: Scheduler) => Promise<void> | void) =>
    fc.assert(
      fc.asyncProperty(fc.scheduler(), first, steps, async (scheduler, fate, taken) => {
        const world = new LosingWorld(scheduler);
        const starts = taken.map((step) => ({
          label: JSON.stringify(step),
          builder: async () => world.take(step),
        }));
        world.create(fate);
        void scheduler.scheduleSequence(starts);
        await scheduler.waitIdle();
        await check(world, scheduler);
      }),
      runs,
    );

  it('no number is given to two entries, whoever writes, dies, repeats or comes late', async () => {
    await property(({ log }) => {
      const numbers = log.given.map(({ seq }) => seq);
      expect(numbers.filter((seq, place) => numbers.indexOf(seq) !== place)).toEqual([]);
    });
  }, 60_000);

  it('no reader passes over an entry without being told', async () => {
    await property(({ passedOver }) => expect(passedOver).toEqual([]));
  }, 60_000);

  it('within an epoch nobody who has lost the run says anything behind who has it', async () => {
    await property(({ log }) => {
      const fences = new Map<number, number>();
      for (const { seq, payload } of log.given) {
        const fence = Number(/^delta \d+ of (\d+)$/.exec(payload)?.[1] ?? Number.NaN);
        if (Number.isNaN(fence)) continue;
        const { epoch } = at(seq);
        expect(fence, `${seq} ${payload}`).toBeGreaterThanOrEqual(fences.get(epoch) ?? 0);
        fences.set(epoch, fence);
      }
    });
  }, 60_000);

  it('when the losses are over, one more writer publishes all that was committed', async () => {
    await property(async (world, scheduler) => {
      world.commit('last');
      const { writer } = world.process();
      const drained = writer.drain(acme, stream);
      await scheduler.waitFor(drained);
      const given = new Set(world.log.given.map(({ payload }) => payload));
      for (const payload of world.committed) expect(given).toContain(payload);
      expect(world.log.present.map(({ payload }) => payload)).toContain('last');
    });
  }, 60_000);
});
