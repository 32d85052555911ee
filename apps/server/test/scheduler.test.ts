import type { RunId } from '@plinth/protocol';
import { Queue } from 'bullmq';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { BullMqScheduler } from '../src/runs/bullmq-scheduler.js';
import { BullMqWorker, type BullMqWorkerParts } from '../src/runs/bullmq-worker.js';
import { acme, openRedis, type RedisFixture } from './redis-fixture.js';

const runA = 'run_a' as RunId;
const runB = 'run_b' as RunId;

let redis: RedisFixture;
let scheduler: BullMqScheduler;
let problems: unknown[];
let closers: (() => Promise<void>)[];
beforeEach(async () => {
  redis = await openRedis();
  problems = [];
  closers = [];
  scheduler = new BullMqScheduler({
    queue: redis.connections.get('queue'),
    commands: redis.commands,
    keys: redis.keys,
    onError: (error) => problems.push(error),
  });
});
afterEach(async () => {
  for (const close of closers) await close();
  await scheduler.close();
  await redis.close();
});

/** A worker of one more process. */
function startWorker(
  handle: BullMqWorkerParts['handle'],
  parts: Partial<BullMqWorkerParts> = {},
): BullMqWorker {
  const connections = redis.connect();
  const worker = new BullMqWorker({
    connection: connections.get('queue-worker'),
    keys: redis.keys,
    concurrency: 4,
    handle,
    onError: (error) => problems.push(error),
    ...parts,
  });
  closers.push(async () => {
    await worker.close(0);
    await connections.close();
  });
  return worker;
}

/** A promise that the test settles. */
function gate() {
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { open, opened };
}

/** Leaves an active job of run A behind whose lock nobody renews: what a killed process looks like to Redis. */
async function loseWorker(lockMs: number): Promise<void> {
  const dead = redis.connect();
  const stuck = gate();
  let taken = 0;
  const victim = new BullMqWorker({
    connection: dead.get('queue-worker'),
    keys: redis.keys,
    concurrency: 1,
    handle: async () => {
      taken += 1;
      await stuck.opened;
    },
    onError: () => {},
    lockMs,
  });
  await victim.ready();
  await scheduler.wake(acme, runA);
  await expect.poll(() => taken).toBe(1);
  await victim.close(0);
  await dead.close();
  stuck.open();
}

describe('waking a run', () => {
  it('brings it to a worker, with its tenant, and leaves nothing behind', async () => {
    const handled: string[] = [];
    startWorker(async (tenant, runId) => void handled.push(`${tenant} ${runId}`));
    await scheduler.wake(acme, runA);
    await expect.poll(() => handled).toEqual([`${acme} ${runA}`]);
    const queue = new Queue('advance', { connection: redis.commands, prefix: redis.keys.queuePrefix });
    await expect
      .poll(() => queue.getJobCountByTypes('active', 'wait', 'completed', 'failed', 'delayed'))
      .toBe(0);
    await queue.close();
  });

  it('several wakes before a worker comes are one job; other runs are jobs of their own', async () => {
    const handled: string[] = [];
    for (const runId of [runA, runA, runA, runB]) await scheduler.wake(acme, runId);
    startWorker(async (_tenant, runId) => void handled.push(runId));
    await expect.poll(() => handled.length).toBe(2);
    expect(handled.sort()).toEqual([runA, runB]);
  });

  it('a wake while the run is being worked on leads to one more job, after this one', async () => {
    const first = gate();
    let started = 0;
    let atOnce = 0;
    let mostAtOnce = 0;
    startWorker(async () => {
      started += 1;
      atOnce += 1;
      mostAtOnce = Math.max(mostAtOnce, atOnce);
      if (started === 1) await first.opened;
      atOnce -= 1;
    });
    await scheduler.wake(acme, runA);
    await expect.poll(() => started).toBe(1);
    await scheduler.wake(acme, runA);
    await scheduler.wake(acme, runA);
    expect(started).toBe(1);
    first.open();
    await expect.poll(() => started).toBe(2);
    await scheduler.wake(acme, runA);
    await expect.poll(() => started).toBe(3);
    expect(mostAtOnce).toBe(1);
  });

  it('a job that failed is tried again', async () => {
    let tries = 0;
    startWorker(async () => {
      tries += 1;
      if (tries === 1) throw new Error('the database was away');
    });
    await scheduler.wake(acme, runA);
    await expect.poll(() => tries, { timeout: 5_000 }).toBe(2);
    expect(problems).toEqual([expect.objectContaining({ message: 'the database was away' })]);
  });

  it('a job that is not ours fails for good and is reported', async () => {
    const handled: string[] = [];
    startWorker(async (_tenant, runId) => void handled.push(runId));
    const queue = new Queue('advance', { connection: redis.commands, prefix: redis.keys.queuePrefix });
    await queue.add('advance', { runId: runA }, { attempts: 3 });
    await expect.poll(() => problems.length).toBe(1);
    expect(String(problems[0])).toContain('tenantId');
    expect(await queue.getFailedCount()).toBe(1);
    await queue.close();
    expect(handled).toEqual([]);
  });

  it('the job of a worker that died goes to another one, and so do the wakes that came since', async () => {
    await loseWorker(400);
    await scheduler.wake(acme, runA);
    const handled: string[] = [];
    startWorker(async (_tenant, runId) => void handled.push(runId), { lockMs: 400 });
    await expect.poll(() => handled, { timeout: 5_000 }).toContain(runA);
  });

  it('the job of a dead worker does not hold back what the sweeper asks for, once for each fence', async () => {
    await loseWorker(600_000);
    await scheduler.wake(acme, runA);
    for (const fence of [1, 1, 2, 2, 2]) await scheduler.wakeAgain(acme, runA, fence);
    const handled: string[] = [];
    startWorker(async (_tenant, runId) => void handled.push(runId), { lockMs: 600_000 });
    await expect.poll(() => handled.length).toBe(2);
    const queue = new Queue('advance', { connection: redis.commands, prefix: redis.keys.queuePrefix });
    await expect.poll(() => queue.getActiveCount()).toBe(1);
    expect(await queue.getWaitingCount()).toBe(0);
    await queue.close();
    expect(handled).toEqual([runA, runA]);
  });

  it('what the sweeper asked for can be asked for again when it is done', async () => {
    const handled: string[] = [];
    startWorker(async (_tenant, runId) => void handled.push(runId));
    await scheduler.wakeAgain(acme, runA, 7);
    await expect.poll(() => handled.length).toBe(1);
    await expect
      .poll(async () => {
        await scheduler.wakeAgain(acme, runA, 7);
        return handled.length;
      })
      .toBeGreaterThan(1);
  });
});

describe('a worker that closes', () => {
  it('takes no more jobs and waits for those that it has', async () => {
    const work = gate();
    const handled: string[] = [];
    const handle = async (_tenant: unknown, runId: RunId) => {
      await work.opened;
      handled.push(runId);
    };
    const worker = startWorker(handle, { concurrency: 1 });
    await scheduler.wake(acme, runA);
    const queue = new Queue('advance', { connection: redis.commands, prefix: redis.keys.queuePrefix });
    await expect.poll(() => queue.getActiveCount()).toBe(1);
    const closed = worker.close(10_000);
    await scheduler.wake(acme, runB);
    work.open();
    await closed;
    expect(handled).toEqual([runA]);
    expect(await queue.getWaitingCount()).toBe(1);
    expect(await queue.getActiveCount()).toBe(0);
    await queue.close();
  });

  it('tells a handler that takes too long to stop', async () => {
    let stopped: unknown = null;
    let started = false;
    const worker = startWorker(
      (_tenant, _runId, signal) =>
        new Promise((resolve) => {
          started = true;
          signal.addEventListener('abort', () => {
            stopped = signal.reason;
            resolve();
          });
        }),
    );
    await scheduler.wake(acme, runA);
    await expect.poll(() => started).toBe(true);
    await worker.close(0);
    expect(String(stopped)).toContain('the worker is closing');
  });
});
