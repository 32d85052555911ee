import { describeEventLog } from './describe-event-log.js';
import { describeExpiries, type ExpiriesUnderTest } from './describe-expiries.js';
import { describeRateLimiter } from './describe-rate-limiter.js';
import { describeSnapshotStore } from './describe-snapshot-store.js';
import { describeToolCache } from './describe-tool-cache.js';
import { ManualClock } from './manual-clock.js';
import { MemoryEventLog } from './memory-event-log.js';
import { MemoryRateLimiter } from './memory-rate-limiter.js';
import { MemoryScheduler } from './memory-scheduler.js';
import { MemorySnapshotStore } from './memory-snapshot-store.js';
import { MemoryToolCache } from './memory-tool-cache.js';

describeEventLog('in memory', async () => {
  const log = new MemoryEventLog();
  return {
    log,
    entries: (tenant, stream) => log.entries(tenant, stream),
    lose: (tenant, stream, until) => log.lose(tenant, stream, until),
    close: async () => {},
  };
});

describeRateLimiter('in memory', async () => {
  const clock = new ManualClock();
  const pass = async (seconds: number) => clock.advance(seconds * 1000);
  return { limiter: new MemoryRateLimiter(clock), pass, close: async () => {} };
});

describeToolCache('in memory', async () => {
  const clock = new ManualClock();
  const passASecond = async () => clock.advance(1_000);
  return { cache: new MemoryToolCache(clock, 3), passASecond, close: async () => {} };
});

describeSnapshotStore('in memory', async () => ({ store: new MemorySnapshotStore(), close: async () => {} }));

describeExpiries('in memory', async () => {
  const scheduler = new MemoryScheduler();
  let now = 1_000_000;
  const come: ExpiriesUnderTest['come'] = [];
  return {
    scheduler,
    now: () => now,
    come,
    async until(count) {
      for (let step = 0; come.length < count && step < 300; step += 1) {
        come.push(...scheduler.takeExpired(now).map(({ tenant, what }) => ({ tenant, what, at: now })));
        now += 10;
      }
    },
    close: async () => {},
  };
});
