import { describeEventLog } from './describe-event-log.js';
import { describeSnapshotStore } from './describe-snapshot-store.js';
import { MemoryEventLog } from './memory-event-log.js';
import { MemorySnapshotStore } from './memory-snapshot-store.js';

describeEventLog('in memory', async () => {
  const log = new MemoryEventLog();
  return {
    log,
    entries: (tenant, stream) => log.entries(tenant, stream),
    lose: (tenant, stream, until) => log.lose(tenant, stream, until),
    close: async () => {},
  };
});

describeSnapshotStore('in memory', async () => ({ store: new MemorySnapshotStore(), close: async () => {} }));
