import type { Run } from '@plinth/engine';
import type { ArtifactId, ThreadId } from '@plinth/protocol';
import { anArtifact } from '@plinth/testkit';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { ArtifactReader } from '../src/artifacts/artifact-reader.js';
import { ThreadReader } from '../src/threads/thread-reader.js';
import {
  ADA,
  type AddedTenant,
  asEndUser,
  BOB,
  codeOf,
  type DatabaseFixture,
  openDatabase,
} from './database-fixture.js';

let fixture: DatabaseFixture;
let reader: ThreadReader;
let artifacts: ArtifactReader;
let acme: AddedTenant;
beforeAll(async () => {
  fixture = await openDatabase();
  reader = new ThreadReader(fixture.database);
  artifacts = new ArtifactReader(fixture.database);
});
beforeEach(async () => {
  acme = await fixture.addTenant();
});
afterAll(() => fixture.close());

/** A run that has ended. */
async function exchange(text: string, threadId: ThreadId | null = null): Promise<Run> {
  fixture.clock.advance(10);
  const run = await fixture.addRun(acme, { text, threadId });
  await fixture.endRun(acme, run);
  return run;
}

async function retry(run: Run, threadId?: ThreadId): Promise<Run> {
  fixture.clock.advance(10);
  const again = await fixture.retry(acme, run, threadId);
  await fixture.endRun(acme, again);
  return again;
}

const path = async (threadId: ThreadId, limit = 100, cursor?: string) =>
  reader.path(acme.id, asEndUser(ADA), threadId, { limit, cursor });
const idsOf = ({ items }: { items: { id: string }[] }) => items.map(({ id }) => id);
const siblingsIn = async (threadId: ThreadId, id: string) =>
  (await path(threadId)).items.find((node) => node.id === id)?.siblings;

describe('the siblings of a message', () => {
  test('are itself alone where the tree does not branch', async () => {
    const first = await exchange('one');
    const { items } = await path(first.threadId);
    expect(items.map(({ siblings }) => siblings)).toEqual([[first.userMessageId], [first.messageId]]);
  });

  test('are all answers to the same question, oldest first, whichever the path goes through', async () => {
    const first = await exchange('one');
    const answers = [first, await retry(first), await retry(first)].map(({ messageId }) => messageId);
    expect(idsOf(await path(first.threadId))).toEqual([first.userMessageId, answers[2]]);
    expect(await siblingsIn(first.threadId, answers[2] ?? '')).toEqual(answers);
    await fixture.moveHead(acme, first.threadId, first.messageId);
    expect(await siblingsIn(first.threadId, first.messageId)).toEqual(answers);
    expect(await siblingsIn(first.threadId, first.userMessageId)).toEqual([first.userMessageId]);
  });

  test('are the first questions of a thread that was begun anew', async () => {
    const first = await exchange('one');
    const { threadId } = first;
    await fixture.moveHead(acme, threadId, null);
    expect(idsOf(await path(threadId))).toEqual([]);
    const anew = await exchange('another one', threadId);
    await exchange('elsewhere');
    const roots = [first.userMessageId, anew.userMessageId];
    expect(idsOf(await path(threadId))).toEqual([anew.userMessageId, anew.messageId]);
    expect(await siblingsIn(threadId, anew.userMessageId)).toEqual(roots);
    await fixture.moveHead(acme, threadId, first.messageId);
    expect(await siblingsIn(threadId, first.userMessageId)).toEqual(roots);
  });

  test('are the questions that go on from the same answer', async () => {
    const first = await exchange('one');
    const { threadId } = first;
    const second = await exchange('two', threadId);
    await fixture.moveHead(acme, threadId, first.messageId);
    expect(idsOf(await path(threadId))).toEqual([first.userMessageId, first.messageId]);
    const other = await exchange('another two', threadId);
    expect(await siblingsIn(threadId, other.userMessageId)).toEqual([
      second.userMessageId,
      other.userMessageId,
    ]);
  });

  test('do not tell a question from an answer under the same message, nor show what the chat does not', async () => {
    const first = await exchange('one');
    await fixture.moveHead(acme, first.threadId, first.userMessageId);
    const question = await exchange('two', first.threadId);
    expect(await siblingsIn(first.threadId, question.userMessageId)).toEqual([question.userMessageId]);
    await fixture.database.inTenant(acme.id, { endUserId: null }, (tx) =>
      tx.message.create({
        data: {
          tenantId: acme.id,
          id: fixture.ids.next('message'),
          threadId: first.threadId,
          endUserId: ADA,
          parentId: first.userMessageId,
          role: 'user',
          visibility: 'shadow',
          text: 'for the model only',
          createdAt: new Date(fixture.clock.now()),
        },
      }),
    );
    expect(await siblingsIn(first.threadId, question.userMessageId)).toEqual([question.userMessageId]);
  });
});

describe('the end of a branch', () => {
  const tipOf = async (threadId: ThreadId, messageId: string, as = ADA) =>
    (await reader.branch(acme.id, asEndUser(as), threadId, messageId)).tipMessageId;

  test('is reached by the newest child of each message, also away from the head', async () => {
    const first = await exchange('one');
    const { threadId } = first;
    const second = await exchange('two', threadId);
    const third = await exchange('three', threadId);
    const again = await retry(second);
    await fixture.moveHead(acme, threadId, null);
    const anew = await exchange('anew', threadId);
    expect(await tipOf(threadId, first.userMessageId)).toBe(again.messageId);
    expect(await tipOf(threadId, second.messageId)).toBe(third.messageId);
    expect(await tipOf(threadId, anew.userMessageId)).toBe(anew.messageId);
    expect(await tipOf(threadId, anew.messageId)).toBe(anew.messageId);
  });

  test('is in the thread that is asked: a fork does not follow what happened in the first one', async () => {
    const first = await exchange('one');
    const fork = await fixture.fork(acme, first.threadId, first.messageId);
    const second = await exchange('two', first.threadId);
    expect(await tipOf(fork, first.userMessageId)).toBe(first.messageId);
    const other = await exchange('another two', fork);
    expect(await tipOf(fork, first.userMessageId)).toBe(other.messageId);
    expect(await tipOf(first.threadId, first.userMessageId)).toBe(second.messageId);
  });

  test('of a message of another thread, or of another end user, is not there', async () => {
    const [first, other] = [await exchange('one'), await exchange('elsewhere')];
    expect(await codeOf(tipOf(first.threadId, other.messageId))).toBe('not_found');
    expect(await codeOf(tipOf(first.threadId, first.messageId, BOB))).toBe('not_found');
  });
});

describe('the path of a fork', () => {
  test('is the shared part and what was added, page by page, each node once', async () => {
    const first = await exchange('one');
    const second = await exchange('two', first.threadId);
    const fork = await fixture.fork(acme, first.threadId, second.messageId);
    const shared = idsOf(await path(first.threadId));
    expect(idsOf(await path(fork))).toEqual(shared);

    const third = await exchange('three', fork);
    const whole = [...shared, third.userMessageId, third.messageId];
    expect(idsOf(await path(fork))).toEqual(whole);
    const pages: string[][] = [];
    let cursor: string | undefined;
    do {
      const page = await path(fork, 1, cursor);
      pages.unshift(idsOf(page));
      cursor = page.nextCursor ?? undefined;
    } while (cursor !== undefined);
    expect(pages.flat()).toEqual(whole);
  });

  test('offers the branches of its own tree only, and the first thread none of the fork', async () => {
    const first = await exchange('one');
    const { threadId } = first;
    const second = await exchange('two', threadId);
    const fork = await fixture.fork(acme, threadId, second.messageId);
    await retry(second);
    await fixture.moveHead(acme, threadId, second.messageId);
    const again = await retry(second, fork);
    expect(await siblingsIn(fork, again.messageId)).toEqual([second.messageId, again.messageId]);
    expect(await siblingsIn(threadId, second.messageId)).not.toContain(again.messageId);

    await fixture.moveHead(acme, fork, first.messageId);
    const other = await exchange('another two', fork);
    expect(await siblingsIn(fork, other.userMessageId)).toEqual([second.userMessageId, other.userMessageId]);
    expect(await siblingsIn(threadId, second.userMessageId)).toEqual([second.userMessageId]);
  });

  test('does not begin at a message that only the first thread has', async () => {
    const first = await exchange('one');
    const fork = await fixture.fork(acme, first.threadId, first.messageId);
    await exchange('two', first.threadId);
    await exchange('three', first.threadId);
    const { nextCursor } = await path(first.threadId, 1);
    expect(idsOf(await path(fork, 10, nextCursor ?? ''))).toEqual([]);
  });

  test('is not there for another end user', async () => {
    const first = await exchange('one');
    const fork = await fixture.fork(acme, first.threadId, first.messageId);
    expect(await codeOf(reader.path(acme.id, asEndUser(BOB), fork, { limit: 10 }))).toBe('not_found');
  });
});

describe('the artifacts of a fork', () => {
  async function addArtifact(run: Run): Promise<ArtifactId> {
    fixture.clock.advance(10);
    const artifact = anArtifact({
      id: fixture.ids.next('artifact') as ArtifactId,
      threadId: run.threadId,
      endUserId: run.endUserId,
      runId: run.id,
      createdAt: fixture.clock.now(),
    });
    const changes = [{ type: 'artifact.create' as const, artifact }];
    await fixture.ledger.transact(acme.id, run.id, () => ({
      decision: { changes, events: [] },
      result: null,
    }));
    return artifact.id;
  }
  const list = (threadId: ThreadId, limit = 10, cursor?: string) =>
    artifacts.list(acme.id, asEndUser(ADA), threadId, { limit, cursor });

  test('are those of the shared path and its own, newest first, page by page', async () => {
    const first = await exchange('one');
    const second = await exchange('two', first.threadId);
    const shared = await addArtifact(first);
    const foreign = await addArtifact(second);
    const fork = await fixture.fork(acme, first.threadId, first.messageId);
    expect(idsOf(await list(fork))).toEqual([shared]);
    const own = await addArtifact(await exchange('there', fork));
    expect(idsOf(await list(fork))).toEqual([own, shared]);
    expect(idsOf(await list(first.threadId))).toEqual([foreign, shared]);

    const newest = await list(fork, 1);
    const older = await list(fork, 1, newest.nextCursor ?? '');
    expect([idsOf(newest), idsOf(older), older.nextCursor]).toEqual([[own], [shared], null]);
  });
});
