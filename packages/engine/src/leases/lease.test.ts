import type { RunId, TenantId } from '@plinth/protocol';
import { idle, LEASE, ManualClock, MemoryScheduler } from '@plinth/testkit';
import { describe, expect, it } from 'vitest';
import type { Ledger } from '../runs/ledger.js';
import { CancelRequested, Lease, LeaseLost } from './lease.js';

const TENANT = 'ten_1' as TenantId;
const RUN = 'run_1' as RunId;

function held(renewLease: () => Promise<{ held: boolean; cancelRequested: boolean }>) {
  const clock = new ManualClock();
  const nudges = new MemoryScheduler();
  const until: number[] = [];
  const ledger = {
    renewLease: async (_tenant: TenantId, _run: RunId, _fence: number, leaseUntil: number) => {
      until.push(leaseUntil - clock.now());
      return renewLease();
    },
  } as unknown as Ledger;
  const lease = new Lease(ledger, clock, nudges, LEASE, TENANT, RUN, 1);
  const pass = async (ms: number) => {
    clock.advance(ms);
    await idle();
  };
  return { clock, nudges, until, lease, pass };
}

const HELD = { held: true, cancelRequested: false };

describe('the lease of a run', () => {
  it('is renewed again and again until it is given up; then nothing of it is left', async () => {
    const { lease, pass, until, clock } = held(async () => HELD);
    for (let time = 0; time < 10; time += 1) await pass(LEASE.renewMs);
    expect(until).toEqual(Array(10).fill(LEASE.leaseMs));
    expect(lease.signal.aborted).toBe(false);
    lease.stop();
    await idle();
    expect(clock.waiting).toBe(0);
  });

  it('that another worker took stops the work', async () => {
    const { lease, pass } = held(async () => ({ held: false, cancelRequested: false }));
    await pass(LEASE.renewMs);
    expect(lease.signal.reason).toBeInstanceOf(LeaseLost);
  });

  it('brings a cancel at the next renewal, and at once with a nudge', async () => {
    const slow = held(async () => ({ held: true, cancelRequested: true }));
    await slow.pass(LEASE.renewMs);
    expect(slow.lease.signal.reason).toBeInstanceOf(CancelRequested);
    const quick = held(async () => ({ held: true, cancelRequested: true }));
    await quick.nudges.nudge(TENANT, RUN);
    await idle();
    expect(quick.lease.signal.reason).toBeInstanceOf(CancelRequested);
  });

  it('lives through a database that is away for less than its time, and not for longer', async () => {
    let away = true;
    const { lease, pass } = held(async () => {
      if (away) throw new Error('the database is away');
      return HELD;
    });
    await pass(LEASE.renewMs);
    await pass(LEASE.renewMs - 1);
    expect(lease.signal.aborted).toBe(false);
    away = false;
    await pass(1);
    away = true;
    await pass(LEASE.renewMs);
    await pass(LEASE.renewMs);
    expect(lease.signal.aborted).toBe(false);
    await pass(LEASE.renewMs);
    expect(lease.signal.reason).toBeInstanceOf(LeaseLost);
  });

  it('of which the renewals hang is given up when its time is over, and does not wait for them', async () => {
    let hangs = false;
    const { lease, pass, until, clock } = held(() => (hangs ? new Promise(() => {}) : Promise.resolve(HELD)));
    await pass(LEASE.renewMs);
    hangs = true;
    for (let ms = 0; ms < LEASE.leaseMs - 1_000; ms += 1_000) await pass(1_000);
    expect(lease.signal.aborted).toBe(false);
    expect(until.length).toBeGreaterThan(1);
    await pass(1_000);
    await pass(1);
    expect(lease.signal.reason).toBeInstanceOf(LeaseLost);
    lease.stop();
    await idle();
    expect(clock.waiting).toBe(0);
  });

  it('of which one renewal hangs is kept by the next one', async () => {
    let calls = 0;
    const { lease, pass } = held(() => {
      calls += 1;
      return calls === 1 ? new Promise(() => {}) : Promise.resolve(HELD);
    });
    for (let ms = 0; ms < 3 * LEASE.leaseMs; ms += 1_000) await pass(1_000);
    expect(calls).toBeGreaterThan(2);
    expect(lease.signal.aborted).toBe(false);
    lease.stop();
  });

  it('that is given up hears no nudge any more', async () => {
    const { lease, nudges, until } = held(async () => ({ held: false, cancelRequested: false }));
    lease.stop();
    await nudges.nudge(TENANT, RUN);
    await idle();
    expect(until).toEqual([]);
    expect(lease.signal.aborted).toBe(false);
  });
});
