import type { AgentVersionId, EndUserId, InterruptId, TenantId } from '@plinth/protocol';
import { aCall, aNewRun, anArtifact, anId, anInterrupt, aTurn, ManualClock } from '@plinth/testkit';
import { AguiThreads } from '../src/agui/agui-threads.js';
import type { TenantDatabase } from '../src/platform/database/tenant-database.js';
import { PostgresLedger } from '../src/runs/postgres-ledger.js';
import { RemoteJobs } from '../src/tools/jobs/remote-jobs.js';

export interface SeededTenant {
  tenant: TenantId;
  key: string;
  endUserId: EndUserId;
  apiKey: { id: string; hash: string };
  callback: { interruptId: InterruptId; tokenHash: string };
}

const ALICE = 'alice' as EndUserId;

/** A tenant with at least one row in every table: a run with all that a run can have, and what stands around it. */
export async function seedEveryTable(database: TenantDatabase): Promise<SeededTenant> {
  const tenant = anId<TenantId>('tenant');
  const apiKey = { id: anId<string>('apiKey'), hash: `hash-of-${tenant}` };
  const agentVersionId = await seedConfiguration(database, tenant, apiKey);
  const callback = await seedRun(database, tenant, agentVersionId);
  return { tenant, key: `key-of-${tenant}`, endUserId: ALICE, apiKey, callback };
}

async function seedConfiguration(
  database: TenantDatabase,
  tenantId: TenantId,
  apiKey: { id: string; hash: string },
): Promise<AgentVersionId> {
  const createdAt = new Date();
  const agentId = anId<string>('agent');
  const id = anId<AgentVersionId>('agentVersion');
  await database.inTenant(tenantId, { endUserId: null }, async (tx) => {
    await tx.tenant.create({ data: { id: tenantId, key: `key-of-${tenantId}`, name: 'Test', createdAt } });
    await tx.apiKey.create({
      data: { tenantId, ...apiKey, prefix: 'pk_test', scopes: ['runs'], name: 'test', createdAt },
    });
    await tx.tenantSecret.create({
      data: {
        tenantId,
        name: 'A_KEY',
        ciphertext: new Uint8Array([1]),
        nonce: new Uint8Array(12),
        keyId: 'test',
        createdAt,
        updatedAt: createdAt,
      },
    });
    await tx.tool.create({
      data: {
        tenantId,
        id: anId('tool'),
        key: 'choose_style',
        version: 1,
        definition: '{}',
        digest: 'digest',
        createdAt,
      },
    });
    await tx.mcpServer.create({
      data: {
        tenantId,
        key: 'files',
        revision: 1,
        origin: 'tenant',
        definition: '{}',
        digest: 'digest',
        createdAt,
        updatedAt: createdAt,
      },
    });
    await tx.identityProvider.create({
      data: {
        tenantId,
        key: 'login',
        revision: 1,
        issuer: 'https://idp.example',
        audience: tenantId,
        definition: '{}',
        digest: 'digest',
        createdAt,
        updatedAt: createdAt,
      },
    });
    await tx.skill.create({
      data: {
        tenantId,
        id: anId('skill'),
        key: 'wording',
        version: 1,
        definition: '{}',
        digest: 'digest',
        createdAt,
      },
    });
    await tx.imageVariant.create({
      data: { tenantId, sha256: 'hash', wallsKey: 'walls', step: 0, unreadable: 'It is empty.', createdAt },
    });
    await tx.imageImport.create({
      data: {
        tenantId,
        urlSha256: 'hash',
        sha256: 'hash',
        storageKey: 'key',
        mimeType: 'image/png',
        sizeBytes: 1,
        fetchedAt: createdAt,
      },
    });
    await tx.upload.create({
      data: {
        tenantId,
        id: anId('upload'),
        endUserId: ALICE,
        kind: 'file',
        mimeType: 'text/plain',
        title: 'a.txt',
        storageKey: 'key',
        sizeBytes: 1,
        sha256: 'hash',
        createdAt,
      },
    });
    await tx.tenantConfigRevision.create({
      data: { tenantId, revision: 1, values: {}, author: 'test', reason: 'a test', createdAt },
    });
    await tx.agent.create({ data: { tenantId, id: agentId, key: 'poster-studio', createdAt } });
    await tx.agentVersion.create({
      data: { tenantId, id, agentId, version: 1, definition: '{}', digest: 'digest', publishedAt: createdAt },
    });
  });
  return id;
}

async function seedRun(
  database: TenantDatabase,
  tenant: TenantId,
  agentVersionId: AgentVersionId,
): Promise<SeededTenant['callback']> {
  const clock = new ManualClock();
  const ledger = new PostgresLedger(database, clock);
  const input = aNewRun({ endUserId: ALICE, agentVersionId });
  await ledger.createRun(tenant, input, () => null);
  const call = aCall();
  const tokenHash = `token-of-${tenant}`;
  const interrupt = anInterrupt({ callId: call.id, callbackTokenHash: tokenHash, expiresAt: clock.now() });
  const artifact = anArtifact({
    threadId: input.newThreadId,
    endUserId: ALICE,
    runId: input.runId,
    callId: call.id,
  });
  const approval = {
    interruptId: interrupt.id,
    tool: call.tool,
    definitionDigest: 'digest',
    createdAt: clock.now(),
  };
  await ledger.transact(tenant, input.runId, () => ({
    decision: {
      changes: [
        { type: 'turn.append', turn: aTurn() },
        { type: 'call.create', call },
        { type: 'interrupt.open', interrupt },
        { type: 'artifact.create', artifact },
        { type: 'approval.remember', approval },
      ],
      events: [],
    },
    result: null,
  }));
  await new RemoteJobs(database, clock).note(
    tenant,
    {
      callId: call.id,
      runId: input.runId,
      interruptId: interrupt.id,
      kind: 'comfyui',
      host: 'http://host',
      jobId: 'job',
      state: 'sending',
    },
    0,
  );
  await new AguiThreads(database, clock, { next: (kind) => anId(kind) }).open(
    tenant,
    ALICE,
    'a-name',
    'A thread',
  );
  return { interruptId: interrupt.id, tokenHash };
}
