import type { Run } from '@plinth/engine';
import {
  type AgentVersionId,
  type EndUserId,
  type MessageId,
  PlinthError,
  type TenantId,
  type ThreadId,
} from '@plinth/protocol';
import { aNewRun, anId, createTestDatabase, ManualClock } from '@plinth/testkit';
import { inject } from 'vitest';
import { AgentPublisher } from '../src/agents/publish-agent.js';
import { TenantDatabase } from '../src/platform/database/tenant-database.js';
import { RandomIds } from '../src/platform/random-ids.js';
import { PostgresLedger } from '../src/runs/postgres-ledger.js';
import { Tenants } from '../src/tenants/tenants.js';

export const ADA = 'ada' as EndUserId;
export const BOB = 'bob' as EndUserId;
export const EVERYBODY = { endUserId: null };
export const asEndUser = (endUserId: EndUserId) => ({ endUserId });

export interface AddedTenant {
  id: TenantId;
  agentVersionId: AgentVersionId;
}

/** A migrated database of its own, with a clock that stands still, and ways to fill it as the server does. */
export async function openDatabase() {
  const testDatabase = await createTestDatabase(inject('plinth'));
  const database = new TenantDatabase({ url: testDatabase.appUrl, poolSize: 8 });
  const clock = new ManualClock();
  const ids = new RandomIds(clock);
  const ledger = new PostgresLedger(database, clock);
  const tenants = new Tenants(database, clock, ids);
  const agents = new AgentPublisher(database, clock, ids);
  return {
    database,
    clock,
    ids,
    ledger,
    appUrl: testDatabase.appUrl,
    /** A tenant of its own for a test, with one published agent. */
    async addTenant(): Promise<AddedTenant> {
      const { id } = await tenants.ensure({
        key: anId<string>('tenant').replace('_', '-'),
        name: 'A business',
      });
      const agent = { key: 'poster-studio', name: 'Poster studio', instructions: 'Make posters.' };
      return { id, agentVersionId: (await agents.publish(id, agent)).id };
    },
    /** A user message, a queued run and its assistant message; in a new thread unless one is named. */
    async addRun(
      tenant: AddedTenant,
      { endUserId = ADA, threadId = null as ThreadId | null, text = 'Hello' } = {},
    ): Promise<Run> {
      const outcome = await ledger.createRun(
        tenant.id,
        aNewRun({
          runId: ids.next('run') as Run['id'],
          messageId: ids.next('message') as Run['messageId'],
          userMessageId: ids.next('message') as Run['userMessageId'],
          newThreadId: ids.next('thread') as ThreadId,
          title: 'hello',
          threadId,
          endUserId,
          agentVersionId: tenant.agentVersionId,
          text,
          now: clock.now(),
        }),
        () => null,
      );
      if (outcome.kind !== 'created') throw new Error(`the run was not created: ${outcome.kind}`);
      return outcome.run;
    },
    /** Another queued run under the question of this one. */
    async retry(tenant: AddedTenant, run: Run, threadId: ThreadId = run.threadId): Promise<Run> {
      const outcome = await ledger.createRun(
        tenant.id,
        aNewRun({
          runId: ids.next('run') as Run['id'],
          messageId: ids.next('message') as Run['messageId'],
          userMessageId: run.userMessageId,
          threadId,
          endUserId: run.endUserId,
          agentVersionId: tenant.agentVersionId,
          text: null,
          now: clock.now(),
        }),
        () => null,
      );
      if (outcome.kind !== 'created') throw new Error(`the run was not created: ${outcome.kind}`);
      return outcome.run;
    },
    async moveHead(tenant: AddedTenant, threadId: ThreadId, messageId: MessageId | null): Promise<void> {
      const input = { viewer: EVERYBODY, threadId, messageId, now: clock.now() };
      const outcome = await ledger.moveHead(tenant.id, input, () => null);
      if (outcome.kind !== 'moved') throw new Error(`the head was not moved: ${outcome.kind}`);
    },
    async fork(tenant: AddedTenant, threadId: ThreadId, messageId: MessageId): Promise<ThreadId> {
      const newThreadId = ids.next('thread') as ThreadId;
      const input = { viewer: EVERYBODY, threadId, messageId, newThreadId, title: null, now: clock.now() };
      const outcome = await ledger.forkThread(tenant.id, input);
      if (outcome.kind !== 'forked') throw new Error(`the thread was not forked: ${outcome.kind}`);
      return newThreadId;
    },
    /** Ends a run, so that its thread is free. */
    async endRun(tenant: AddedTenant, run: Run): Promise<void> {
      await ledger.transact(tenant.id, run.id, () => ({
        decision: {
          changes: [
            {
              type: 'run.update',
              set: { status: 'cancelled', reason: 'cancelled', finishedAt: clock.now() },
            },
          ],
          events: [],
        },
        result: null,
      }));
    },
    async close(): Promise<void> {
      await database.close();
      await testDatabase.drop();
    },
  };
}

export type DatabaseFixture = Awaited<ReturnType<typeof openDatabase>>;

/** The domain error that an attempt ends with. */
export async function refusalOf(attempt: Promise<unknown>): Promise<PlinthError> {
  const error = await attempt.then(
    () => new Error('expected a refusal'),
    (caught: unknown) => caught,
  );
  if (PlinthError.isInstance(error)) return error;
  throw error;
}

export const codeOf = async (attempt: Promise<unknown>): Promise<string> => (await refusalOf(attempt)).code;
