import type { Expiring, Scheduler } from '@plinth/engine';
import type { InterruptId, RunId, TenantId } from '@plinth/protocol';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

export interface ExpiriesUnderTest {
  scheduler: Scheduler;
  /** Milliseconds since the Unix epoch, on the scheduler's clock. */
  now(): number;
  /** What has come, in its order, and when. */
  readonly come: { tenant: TenantId; what: Expiring; at: number }[];
  /** Lets time pass until so many have come. */
  until(count: number): Promise<void>;
  close(): Promise<void>;
}

const acme = 'ten_acme' as TenantId;
const other = 'ten_other' as TenantId;
const interrupt = (name: string): Expiring => ({ kind: 'interrupt', id: `int_${name}` as InterruptId });
const run = (name: string): Expiring => ({ kind: 'run', id: `run_${name}` as RunId });

/** Milliseconds: a machine that stalls for less than the difference, or than the first, still asks in time. */
const SOON_MS = 500;
const LATE_MS = 2_000;

/** The rules of every `Scheduler` for what has its time. */
export function describeExpiries(name: string, open: () => Promise<ExpiriesUnderTest>): void {
  describe(`expiries: ${name}`, () => {
    let under: ExpiriesUnderTest;
    beforeEach(async () => {
      under = await open();
    });
    afterEach(() => under.close());
    const told = () => under.come.map(({ tenant, what }) => `${tenant} ${what.kind} ${what.id}`);

    it('come at their time, in its order, not in that in which they were asked for', async () => {
      const now = under.now();
      await under.scheduler.expireAt(acme, interrupt('late'), now + LATE_MS);
      await under.scheduler.expireAt(acme, run('soon'), now + SOON_MS);
      await under.until(2);
      expect(told()).toEqual(['ten_acme run run_soon', 'ten_acme interrupt int_late']);
      expect(under.come[0]?.at).toBeGreaterThanOrEqual(now + SOON_MS);
      expect(under.come[1]?.at).toBeGreaterThanOrEqual(now + LATE_MS);
    });

    it('one whose time has passed comes at once', async () => {
      await under.scheduler.expireAt(acme, interrupt('over'), under.now() - 60_000);
      await under.until(1);
      expect(told()).toEqual(['ten_acme interrupt int_over']);
    });

    it('one that is asked for several times comes once, and can be asked for again afterwards', async () => {
      const now = under.now();
      for (let time = 0; time < 3; time += 1)
        await under.scheduler.expireAt(acme, interrupt('a'), now + SOON_MS);
      await under.scheduler.expireAt(acme, interrupt('b'), now + LATE_MS);
      await under.until(2);
      expect(told()).toEqual(['ten_acme interrupt int_a', 'ten_acme interrupt int_b']);
      await under.scheduler.expireAt(acme, interrupt('a'), under.now());
      await under.until(3);
      expect(told()[2]).toBe('ten_acme interrupt int_a');
    });

    it('one that was forgotten does not come; forgetting what is not there does nothing', async () => {
      const now = under.now();
      await under.scheduler.expireAt(acme, interrupt('a'), now + SOON_MS);
      await under.scheduler.expireAt(acme, interrupt('b'), now + LATE_MS);
      await under.scheduler.forgetExpiry(acme, interrupt('a'));
      await under.scheduler.forgetExpiry(acme, interrupt('never'));
      await under.until(1);
      await under.scheduler.forgetExpiry(acme, interrupt('b'));
      expect(told()).toEqual(['ten_acme interrupt int_b']);
    });

    it('tenants and kinds are kept apart, whatever their ids', async () => {
      const now = under.now();
      const id = 'same' as InterruptId & RunId;
      await under.scheduler.expireAt(acme, { kind: 'interrupt', id }, now + 100);
      await under.scheduler.expireAt(other, { kind: 'interrupt', id }, now + 200);
      await under.scheduler.expireAt(acme, { kind: 'run', id }, now + 300);
      await under.scheduler.forgetExpiry(other, { kind: 'run', id });
      await under.until(3);
      expect(told().sort()).toEqual([
        'ten_acme interrupt same',
        'ten_acme run same',
        'ten_other interrupt same',
      ]);
    });
  });
}
