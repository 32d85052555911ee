import type { AgentVersionId, TenantId } from '@plinth/protocol';
import { anId, createTestDatabase, describeLedger, ManualClock } from '@plinth/testkit';
import { inject } from 'vitest';
import { TenantDatabase } from '../src/platform/database/tenant-database.js';
import { PostgresDueWork } from '../src/runs/postgres-due-work.js';
import { PostgresLedger } from '../src/runs/postgres-ledger.js';
import { PostgresOutbox } from '../src/runs/postgres-outbox.js';

describeLedger('the ledger in Postgres', async () => {
  const testDatabase = await createTestDatabase(inject('plinth'));
  const database = new TenantDatabase({ url: testDatabase.appUrl, poolSize: 8 });
  const clock = new ManualClock();
  return {
    ledger: new PostgresLedger(database, clock),
    outbox: new PostgresOutbox(database, clock),
    dueWork: new PostgresDueWork(database),
    clock,
    addTenant: () => addTenant(database),
    async close() {
      await database.close();
      await testDatabase.drop();
    },
  };
});

async function addTenant(
  database: TenantDatabase,
): Promise<{ tenant: TenantId; agentVersionId: AgentVersionId }> {
  const tenantId = anId<TenantId>('tenant');
  const agentId = anId<string>('agent');
  const id = anId<AgentVersionId>('agentVersion');
  const at = new Date();
  await database.inTenant(tenantId, { endUserId: null }, async (tx) => {
    await tx.tenant.create({ data: { id: tenantId, key: tenantId, name: 'Test', createdAt: at } });
    await tx.agent.create({ data: { tenantId, id: agentId, key: 'poster-studio', createdAt: at } });
    await tx.agentVersion.create({
      data: { tenantId, id, agentId, version: 1, definition: '{}', digest: 'digest', publishedAt: at },
    });
  });
  return { tenant: tenantId, agentVersionId: id };
}
