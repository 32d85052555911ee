import type { ThreadId } from '@plinth/protocol';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { ThreadReader } from '../src/threads/thread-reader.js';
import { Threads } from '../src/threads/threads.js';
import {
  ADA,
  type AddedTenant,
  asEndUser,
  BOB,
  codeOf,
  type DatabaseFixture,
  EVERYBODY,
  openDatabase,
} from './database-fixture.js';

let fixture: DatabaseFixture;
let threads: Threads;
let reader: ThreadReader;
let acme: AddedTenant;
let bolt: AddedTenant;
beforeAll(async () => {
  fixture = await openDatabase();
  threads = new Threads(fixture.database, fixture.clock, fixture.ids);
  reader = new ThreadReader(fixture.database);
});
beforeEach(async () => {
  acme = await fixture.addTenant();
  bolt = await fixture.addTenant();
});
afterAll(() => fixture.close());

const idsOf = ({ items }: { items: { id: string }[] }) => items.map(({ id }) => id);

async function makeThreads(count: number, endUserId = ADA, apartMs = 1): Promise<string[]> {
  const made: string[] = [];
  for (let i = 0; i < count; i += 1) {
    fixture.clock.advance(apartMs);
    made.push((await threads.create(acme.id, endUserId, { title: null })).id);
  }
  return made;
}

/** One thread with `count` exchanges; the last run is active. */
async function converse(count: number) {
  const first = await fixture.addRun(acme, { text: 'question 1' });
  let run = first;
  for (let i = 2; i <= count; i += 1) {
    await fixture.endRun(acme, run);
    fixture.clock.advance(10);
    run = await fixture.addRun(acme, { threadId: first.threadId, text: `question ${i}` });
  }
  return { threadId: first.threadId, last: run };
}

describe('threads', () => {
  test('a new thread is empty and its own', async () => {
    const thread = await threads.create(acme.id, ADA, { title: 'Tea sale' });
    expect(thread).toMatchObject({ title: 'Tea sale', headMessageId: null, activeRunId: null });
    const odd = await threads.create(acme.id, ADA, { title: 'Tea\u0000 and \ud83c cake' });
    expect(odd.title).toBe('Tea\ufffd and \ufffd cake');
    expect(await reader.get(acme.id, asEndUser(ADA), thread.id as ThreadId)).toEqual(thread);
  });

  test('a thread names its head and its active run, until that ends', async () => {
    const run = await fixture.addRun(acme);
    expect(await reader.get(acme.id, asEndUser(ADA), run.threadId)).toMatchObject({
      headMessageId: run.messageId,
      activeRunId: run.id,
    });
    await fixture.endRun(acme, run);
    expect(await reader.get(acme.id, asEndUser(ADA), run.threadId)).toMatchObject({ activeRunId: null });
  });

  test('the newest come first, page by page, each once', async () => {
    const made = await makeThreads(5);
    const first = await reader.list(acme.id, asEndUser(ADA), { limit: 2 });
    const second = await reader.list(acme.id, asEndUser(ADA), { limit: 2, cursor: first.nextCursor ?? '' });
    const third = await reader.list(acme.id, asEndUser(ADA), { limit: 2, cursor: second.nextCursor ?? '' });
    expect([...idsOf(first), ...idsOf(second), ...idsOf(third)]).toEqual(made.reverse());
    expect(third.nextCursor).toBeNull();
  });

  test('threads of the same millisecond are not lost between two pages', async () => {
    const made = await makeThreads(5, ADA, 0);
    const seen: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await reader.list(acme.id, asEndUser(ADA), { limit: 1, cursor });
      seen.push(...idsOf(page));
      cursor = page.nextCursor ?? undefined;
    } while (cursor !== undefined);
    expect(seen.toSorted()).toEqual(made.toSorted());
  });

  test('a page that ends exactly with the last thread has no next one', async () => {
    await makeThreads(2);
    expect((await reader.list(acme.id, asEndUser(ADA), { limit: 2 })).nextCursor).toBeNull();
  });

  test.each([
    'x',
    '',
    Buffer.from('[1]').toString('base64url'),
    Buffer.from('["a","b"]').toString('base64url'),
  ])('the cursor %j is refused', async (cursor) => {
    expect(await codeOf(reader.list(acme.id, asEndUser(ADA), { limit: 2, cursor }))).toBe('invalid_request');
  });

  test("another end user's threads are not there", async () => {
    const [adas] = await makeThreads(1, ADA);
    const [bobs] = await makeThreads(1, BOB);
    expect(idsOf(await reader.list(acme.id, asEndUser(BOB), { limit: 10 }))).toEqual([bobs]);
    expect(idsOf(await reader.list(acme.id, asEndUser(BOB), { limit: 10, endUserId: ADA }))).toEqual([bobs]);
    expect(await codeOf(reader.get(acme.id, asEndUser(BOB), adas as ThreadId))).toBe('not_found');
    expect(await codeOf(reader.path(acme.id, asEndUser(BOB), adas as ThreadId, { limit: 10 }))).toBe(
      'not_found',
    );
  });

  test('an API key sees the threads of all end users, or of the one it names', async () => {
    const [adas] = await makeThreads(1, ADA);
    const [bobs] = await makeThreads(1, BOB);
    expect(idsOf(await reader.list(acme.id, EVERYBODY, { limit: 10 }))).toEqual([bobs, adas]);
    expect(idsOf(await reader.list(acme.id, EVERYBODY, { limit: 10, endUserId: ADA }))).toEqual([adas]);
  });

  test("another tenant's threads are not there, for an end user of the same name or an API key", async () => {
    const [adas] = await makeThreads(1, ADA);
    for (const viewer of [asEndUser(ADA), EVERYBODY]) {
      expect(idsOf(await reader.list(bolt.id, viewer, { limit: 10 }))).toEqual([]);
      expect(await codeOf(reader.get(bolt.id, viewer, adas as ThreadId))).toBe('not_found');
      expect(await codeOf(reader.path(bolt.id, viewer, adas as ThreadId, { limit: 10 }))).toBe('not_found');
    }
  });
});

describe('the path to the head', () => {
  test('an empty thread has none', async () => {
    const [id] = await makeThreads(1);
    expect(await reader.path(acme.id, asEndUser(ADA), id as ThreadId, { limit: 10 })).toEqual({
      items: [],
      nextCursor: null,
    });
  });

  test('it is read oldest first, each node with its parent', async () => {
    const { threadId, last } = await converse(2);
    const { items, nextCursor } = await reader.path(acme.id, asEndUser(ADA), threadId, { limit: 10 });
    expect(items.map((node) => (node.role === 'user' ? node.text : 'answer'))).toEqual([
      'question 1',
      'answer',
      'question 2',
      'answer',
    ]);
    expect(items.map(({ parentId }) => parentId)).toEqual([null, ...items.slice(0, -1).map(({ id }) => id)]);
    expect(items.at(-1)).toMatchObject({ role: 'assistant', id: last.messageId, runId: last.id });
    expect(nextCursor).toBeNull();
  });

  test('the first page is the newest one, and cursors lead to older nodes, each once', async () => {
    const { threadId } = await converse(3);
    const whole = await reader.path(acme.id, asEndUser(ADA), threadId, { limit: 100 });
    const newest = await reader.path(acme.id, asEndUser(ADA), threadId, { limit: 4 });
    const older = await reader.path(acme.id, asEndUser(ADA), threadId, {
      limit: 4,
      cursor: newest.nextCursor ?? '',
    });
    expect([...older.items, ...newest.items]).toEqual(whole.items);
    expect(older.nextCursor).toBeNull();
  });

  test('a message that comes in between two pages does not shift the second', async () => {
    const { threadId, last } = await converse(2);
    const newest = await reader.path(acme.id, asEndUser(ADA), threadId, { limit: 2 });
    await fixture.endRun(acme, last);
    await fixture.addRun(acme, { threadId, text: 'question 3' });
    const older = await reader.path(acme.id, asEndUser(ADA), threadId, {
      limit: 2,
      cursor: newest.nextCursor ?? '',
    });
    expect(older.items.map((node) => (node.role === 'user' ? node.text : 'answer'))).toEqual([
      'question 1',
      'answer',
    ]);
  });

  test('the cursor of another thread shows nothing of it', async () => {
    const one = await converse(3);
    const other = await converse(1);
    const { nextCursor } = await reader.path(acme.id, asEndUser(ADA), one.threadId, { limit: 2 });
    expect(
      (await reader.path(acme.id, asEndUser(ADA), other.threadId, { limit: 2, cursor: nextCursor ?? '' }))
        .items,
    ).toEqual([]);
  });

  test('shadow nodes are left out, and a node under one has the next shown one as its parent', async () => {
    const { threadId, last } = await converse(1);
    await fixture.endRun(acme, last);
    await fixture.database.inTenant(acme.id, EVERYBODY, async (tx) => {
      const hidden = fixture.ids.next('message');
      await tx.message.create({
        data: {
          tenantId: acme.id,
          id: hidden,
          threadId,
          endUserId: ADA,
          parentId: last.messageId,
          role: 'user',
          visibility: 'shadow',
          text: 'for the model only',
          createdAt: new Date(fixture.clock.now()),
        },
      });
      await tx.thread.update({
        where: { tenantId_id: { tenantId: acme.id, id: threadId } },
        data: { headMessageId: hidden },
      });
    });
    await fixture.addRun(acme, { threadId, text: 'question 2' });
    const { items } = await reader.path(acme.id, asEndUser(ADA), threadId, { limit: 100 });
    expect(items.map((node) => (node.role === 'user' ? node.text : 'answer'))).toEqual([
      'question 1',
      'answer',
      'question 2',
      'answer',
    ]);
    expect(items[2]?.parentId).toBe(last.messageId);
  });
});
