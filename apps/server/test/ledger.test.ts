import type { StreamRef } from '@plinth/engine';
import type { AgentVersionId, MessageId, RunId, TenantId, ThreadId } from '@plinth/protocol';
import {
  aNewRun,
  anId,
  createTestDatabase,
  describeLedger,
  ManualClock,
  type TestDatabase,
} from '@plinth/testkit';
import { afterAll, beforeAll, describe, expect, inject, test, vi } from 'vitest';
import { Prisma } from '../src/generated/prisma/client.js';
import { PostgresApprovals } from '../src/interrupts/postgres-approvals.js';
import { TenantDatabase } from '../src/platform/database/tenant-database.js';
import type { Row } from '../src/runs/postgres-columns.js';
import { PostgresDueWork } from '../src/runs/postgres-due-work.js';
import { PostgresLedger } from '../src/runs/postgres-ledger.js';
import { PostgresOutbox } from '../src/runs/postgres-outbox.js';
import { insertEvents, threadEvents } from '../src/runs/postgres-outbox-rows.js';
import { artifactColumns } from '../src/runs/postgres-rows.js';

describeLedger('the ledger in Postgres', async () => {
  const testDatabase = await createTestDatabase(inject('plinth'));
  const database = new TenantDatabase({ url: testDatabase.appUrl, poolSize: 8 });
  const clock = new ManualClock();
  return {
    ledger: new PostgresLedger(database, clock),
    outbox: new PostgresOutbox(database, clock),
    dueWork: new PostgresDueWork(database),
    approvals: new PostgresApprovals(database),
    artifacts: (tenant, threadId) => artifactsOf(database, tenant, threadId),
    clock,
    addTenant: () => addTenant(database),
    async close() {
      await database.close();
      await testDatabase.drop();
    },
  };
});

/** What only a database can get wrong: a transaction that stays open while another one writes. */
describe('the log of a thread in Postgres', () => {
  let testDatabase: TestDatabase;
  let database: TenantDatabase;

  beforeAll(async () => {
    testDatabase = await createTestDatabase(inject('plinth'));
    database = new TenantDatabase({ url: testDatabase.appUrl, poolSize: 4 });
  });
  afterAll(async () => {
    await database?.close();
    await testDatabase?.drop();
  });

  test('has its events in the order of commits, also when a later writer began before an earlier one committed', async () => {
    const clock = new ManualClock();
    const outbox = new PostgresOutbox(database, clock);
    const { tenant, agentVersionId } = await addTenant(database);
    const input = aNewRun({ agentVersionId });
    await new PostgresLedger(database, clock).createRun(tenant, input, () => null);
    const threadId = input.newThreadId;
    const event = (name: string) => finished(threadId, name);

    let later = Promise.resolve();
    await database.inTenant(tenant, { endUserId: null }, async (tx) => {
      const write = (name: string) =>
        tx.$queryRaw(insertEvents(tenant, threadEvents(threadId, [event(name)]), clock.now()));
      await write('first');
      later = outbox.announce(tenant, event('third'));
      await vi.waitFor(async () => expect(await waitingForLocks()).toBe(1), { timeout: 5_000 });
      await write('second');
    });
    await later;

    const stream: StreamRef = { kind: 'thread', id: threadId };
    const payloads = (await outbox.pending(tenant, stream)).map(({ payload }) => JSON.parse(payload));
    expect(payloads.slice(1).map(({ runId }) => runId)).toEqual(['first', 'second', 'third']);
  });

  const finished = (threadId: ThreadId, name: string) =>
    ({
      type: 'thread.run_finished',
      threadId,
      runId: name as RunId,
      messageId: name as MessageId,
      at: new Date(0).toISOString(),
    }) as const;

  async function waitingForLocks(): Promise<number | undefined> {
    const [row] = await database.platform().$queryRaw<{ waiting: number }[]>`
      SELECT count(*)::int AS waiting FROM pg_locks
       WHERE locktype = 'advisory' AND NOT granted
         AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`;
    return row?.waiting;
  }
});

async function artifactsOf(database: TenantDatabase, tenant: TenantId, threadId: ThreadId) {
  const [rows = []] = await database.send(tenant, { endUserId: null }, [
    Prisma.sql`
      SELECT to_json(a) AS artifact FROM artifact a
       WHERE a.tenant_id = ${tenant} AND a.thread_id = ${threadId} ORDER BY a.created_at, a.id COLLATE "C"`,
  ]);
  return rows.map(({ artifact }) => artifactColumns.fromRow(artifact as Row));
}

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
