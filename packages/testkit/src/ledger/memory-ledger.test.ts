import type { AgentVersionId, TenantId } from '@plinth/protocol';
import { ManualClock } from '../redis/manual-clock.js';
import { anId } from './builders.js';
import { describeLedger } from './ledger-suite.js';
import { MemoryLedger } from './memory-ledger.js';

describeLedger('the ledger in memory', async () => {
  const clock = new ManualClock();
  const ledger = new MemoryLedger(clock);
  return {
    ledger,
    outbox: ledger,
    dueWork: ledger,
    approvals: ledger,
    artifacts: (tenant, threadId) => ledger.artifactsOf(tenant, threadId),
    clock,
    addTenant: async () => ({
      tenant: anId<TenantId>('tenant'),
      agentVersionId: anId<AgentVersionId>('agentVersion'),
    }),
    close: async () => {},
  };
});
