import type { RunId, ThreadId, ToolDefinition } from '@plinth/protocol';
import { aServerTool, startEngine, type TestEngine } from '@plinth/testkit';
import { describe, expect, it } from 'vitest';
import type { StoredFile } from './run.js';

const poster: StoredFile = {
  title: 'poster.png',
  kind: 'image',
  mimeType: 'image/png',
  storageKey: 'place/of/poster',
  sizeBytes: 7,
  sha256: 'aa',
};
const prices: StoredFile = {
  ...poster,
  title: 'prices.csv',
  kind: 'table',
  mimeType: 'text/csv',
  sha256: 'bb',
};
const film: StoredFile = { ...poster, title: 'film.mp4', kind: 'video', mimeType: 'video/mp4', sha256: 'cc' };

const reader: ToolDefinition = {
  ...aServerTool('read_it'),
  executor: { kind: 'builtin', name: 'get_artifact' },
};

function engine(tools = [reader]): TestEngine {
  return startEngine({ tools, model: [{ text: 'ok' }] });
}

async function startWith(subject: TestEngine, files: StoredFile[], text = 'look') {
  const attachments = files.map((file) => ({
    uploadId: subject.attachments.upload(subject.tenant, subject.user, file),
  }));
  return subject.start(text, { attachments });
}

async function questionIn(subject: TestEngine, runId: string) {
  const state = await subject.ledger.loadRun(subject.tenant, runId as RunId);
  return JSON.parse(state?.history.at(-1) ?? '{}') as { content: string | { text?: string }[] };
}

describe('what is sent along with a message', () => {
  it('becomes artifacts of the thread, of no run, that do not open by themselves', async () => {
    const subject = engine();
    const { threadId } = await startWith(subject, [poster, prices]);
    const made = await subject.ledger.artifactsOf(subject.tenant, threadId as ThreadId);
    expect(made.map(({ title }) => title)).toEqual(['poster.png', 'prices.csv']);
    for (const artifact of made)
      expect(artifact).toMatchObject({
        threadId,
        endUserId: subject.user,
        runId: null,
        open: 'silent',
        version: 1,
      });
  });

  it('says of a text how the agent reads it, and of a film that its content is not shown', async () => {
    const subject = engine();
    const { runId } = await startWith(subject, [prices, film]);
    const { content } = await questionIn(subject, runId);
    expect(content).toMatchObject([
      { text: 'look' },
      { text: expect.stringMatching(/"prices\.csv".*art_\w+\. Read it with read_it\.$/) },
      { text: expect.stringMatching(/"film\.mp4".*art_\w+\. Its content is not shown to you\.$/) },
    ]);
    const without = engine([]);
    const unread = await questionIn(without, (await startWith(without, [prices])).runId);
    expect(unread.content[1]).toMatchObject({ text: expect.stringMatching(/not shown to you\.$/) });
  });

  it('that is not there keeps the run from being made', async () => {
    const subject = engine();
    await expect(subject.start('look', { attachments: [{ uploadId: 'upl_none' }] })).rejects.toMatchObject({
      code: 'attachment_not_found',
    });
    expect(subject.scheduler.take()).toBeNull();
  });

  it('belongs to the request that a key stands for, and is not looked for again when it is repeated', async () => {
    const subject = engine();
    const url = 'https://pictures.example/a.png';
    subject.attachments.pictures.set(url, poster);
    const first = await subject.start('look', { attachments: [{ url }], idempotencyKey: 'key-1' });
    subject.attachments.pictures.clear();
    expect(await subject.start('look', { attachments: [{ url }], idempotencyKey: 'key-1' })).toEqual(first);
    await expect(subject.start('look', { idempotencyKey: 'key-1' })).rejects.toMatchObject({
      code: 'idempotency_key_reused',
    });
  });
});
