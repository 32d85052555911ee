import { hostname } from 'node:os';
import { expireInterrupt, expireRun, loadTokenCounter, RunAdvancer, sweep } from '@plinth/engine';
import { OpenAiGateway } from '../../models/openai-gateway.js';
import { BullMqExpiryWorker } from '../../runs/bullmq-expiry-worker.js';
import { BullMqNudges } from '../../runs/bullmq-nudges.js';
import { BullMqWorker } from '../../runs/bullmq-worker.js';
import { SignedCallbackTokens } from '../../tools/callback-token.js';
import { RedisRateLimiter } from '../../tools/redis-rate-limiter.js';
import { RedisToolCache } from '../../tools/redis-tool-cache.js';
import type { Platform } from './build-platform.js';
import { startJobWatcher } from './job-watcher.js';

/** Milliseconds that a run may be queued before its wake is taken for lost. */
const QUEUED_MS = 5_000;
/** Milliseconds that a committed event may be unpublished before the sweeper publishes it. */
const UNPUBLISHED_MS = 3_000;
/** Milliseconds between two looks for uploads whose day is over. */
const FORGET_UPLOADS_MS = 600_000;
/** Milliseconds that active runs get to reach a safe point when the process closes. */
const CLOSE_MS = 8_000;

/** Starts the worker role: takes jobs, advances runs, sweeps. Returns what stops it. */
export async function startWorker(
  platform: Platform,
  publicUrl: string,
): Promise<{ close(): Promise<void> }> {
  const {
    environment,
    clock,
    ids,
    redis,
    keys,
    subscriber,
    secrets,
    logger,
    door,
    due,
    approvals,
    oldUploads,
    images,
  } = platform;
  loadTokenCounter();
  const gateway = new OpenAiGateway(
    { apiKey: environment.OPENAI_API_KEY || 'none', baseUrl: environment.OPENAI_BASE_URL },
    clock,
  );
  const nudges = new BullMqNudges(subscriber, keys);
  await nudges.start();
  const advancer = new RunAdvancer(
    {
      ...door,
      approvals,
      limiter: new RedisRateLimiter(redis.get('commands'), keys),
      cache: new RedisToolCache(redis.get('commands'), keys),
      gateway,
      images: images.pipeline,
      callbacks: new SignedCallbackTokens(secrets, publicUrl),
      nudges,
    },
    {
      owner: `${hostname()}:${process.pid}:${ids.next('run')}`,
      lease: { leaseMs: environment.PLINTH_LEASE_MS, renewMs: Math.floor(environment.PLINTH_LEASE_MS / 3) },
    },
  );
  const worker = new BullMqWorker({
    connection: redis.get('queue-worker'),
    keys,
    concurrency: environment.PLINTH_WORKER_CONCURRENCY,
    handle: (tenant, runId, stop) => advancer.advance(tenant, runId, stop),
    onError: (error) => logger.warn({ err: error }, 'queue'),
  });
  const expiries = new BullMqExpiryWorker({
    connection: redis.get('queue-worker'),
    keys,
    handle: (tenant, what) =>
      what.kind === 'run' ? expireRun(door, tenant, what.id) : expireInterrupt(door, tenant, what.id),
    onError: (error) => logger.warn({ err: error }, 'expiries'),
  });
  await Promise.all([worker.ready(), expiries.ready()]);

  const watcher = startJobWatcher(platform);

  const stopSweeping = new AbortController();
  const times = { queuedMs: QUEUED_MS, unpublishedMs: UNPUBLISHED_MS };
  const repeat = async (doing: string, everyMs: number, work: () => Promise<unknown>) => {
    while (!stopSweeping.signal.aborted) {
      await work().catch((error: unknown) => logger.warn({ err: error }, doing));
      await clock.wait(everyMs, stopSweeping.signal).catch(() => {});
    }
  };
  const sweeping = Promise.all([
    repeat('sweep', environment.PLINTH_SWEEP_MS, () => sweep({ ...door, due }, times)),
    repeat('forget old uploads', FORGET_UPLOADS_MS, () => oldUploads.forget()),
  ]);
  return {
    async close() {
      stopSweeping.abort();
      await Promise.all([worker.close(CLOSE_MS), expiries.close(), watcher.close()]);
      await sweeping;
      nudges.stop();
      await gateway.close();
    },
  };
}
