import { describeExpiries, type ExpiriesUnderTest } from '@plinth/testkit';
import { Queue } from 'bullmq';
import { expect, it } from 'vitest';
import { BullMqExpiryWorker } from '../src/runs/bullmq-expiry-worker.js';
import { BullMqScheduler } from '../src/runs/bullmq-scheduler.js';
import { acme, openRedis } from './redis-fixture.js';

type Come = ExpiriesUnderTest['come'];

/** One process that asks, and one that is told. */
async function openExpiries() {
  const redis = await openRedis();
  const problems: unknown[] = [];
  const come: Come = [];
  const onError = (error: unknown) => problems.push(error);
  const schedulerOf = (connections = redis.connections) =>
    new BullMqScheduler({
      queue: connections.get('queue'),
      commands: connections.get('commands'),
      keys: redis.keys,
      onError,
    });
  const startWorker = () => {
    const connections = redis.connect();
    const worker = new BullMqExpiryWorker({
      connection: connections.get('queue-worker'),
      keys: redis.keys,
      handle: async (tenant, what) => void come.push({ tenant, what, at: Date.now() }),
      onError,
    });
    return async () => {
      await worker.close();
      await connections.close();
    };
  };
  return { redis, problems, come, schedulerOf, startWorker };
}

describeExpiries('BullMQ', async () => {
  const { redis, problems, come, schedulerOf, startWorker } = await openExpiries();
  const scheduler = schedulerOf();
  const stopWorker = startWorker();
  return {
    scheduler,
    now: () => Date.now(),
    come,
    until: (count) => expect.poll(() => come.length, { timeout: 20_000 }).toBeGreaterThanOrEqual(count),
    async close() {
      await stopWorker();
      await scheduler.close();
      expect(problems).toEqual([]);
      await redis.close();
    },
  };
});

it('an expiry outlives the process that asked for it, and comes to a worker that starts later; nothing is left behind', async () => {
  const { redis, come, schedulerOf, startWorker } = await openExpiries();
  const first = redis.connect();
  const scheduler = schedulerOf(first);
  const what = { kind: 'interrupt', id: 'int_1' as never } as const;
  await scheduler.expireAt(acme, what, Date.now() + 100);
  await scheduler.close();
  await first.close();
  const stopWorker = startWorker();
  await expect.poll(() => come.map((each) => each.what), { timeout: 5_000 }).toEqual([what]);
  const queue = new Queue('expiry', { connection: redis.commands, prefix: redis.keys.queuePrefix });
  await expect
    .poll(() => queue.getJobCountByTypes('active', 'wait', 'completed', 'failed', 'delayed'))
    .toBe(0);
  await queue.close();
  await stopWorker();
  await redis.close();
});

it('a job that is not ours fails for good and is reported', async () => {
  const { redis, problems, come, startWorker } = await openExpiries();
  const stopWorker = startWorker();
  const queue = new Queue('expiry', { connection: redis.commands, prefix: redis.keys.queuePrefix });
  await queue.add('expiry', { tenantId: acme, kind: 'tenant', id: 'x' }, { attempts: 3 });
  await expect.poll(() => problems.length).toBe(1);
  expect(String(problems[0])).toContain('kind');
  expect(come).toEqual([]);
  await queue.close();
  await stopWorker();
  await redis.close();
});
