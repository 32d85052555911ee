import type { AttachmentSource, Ledger, StoredFile } from '@plinth/engine';
import {
  type AgentVersionId,
  type ArtifactId,
  type AttachmentInput,
  type EndUserId,
  PlinthError,
  type TenantId,
  type ThreadId,
} from '@plinth/protocol';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { aNewRun, anArtifact, anAttachment, anId } from '../ledger/builders.js';

export interface AttachmentSourceUnderTest {
  source: AttachmentSource;
  /** Where threads, their forks and their artifacts are. */
  ledger: Pick<Ledger, 'createRun' | 'forkThread'>;
  /** Two tenants that are there, each with a published agent. */
  tenants: readonly [TenantUnderTest, TenantUnderTest];
  addUpload(tenant: TenantId, endUserId: EndUserId, file: StoredFile): Promise<string>;
  /** A picture at an address, and what it will be called. */
  addPicture(): Promise<{ url: string; title: string; sizeBytes: number; mimeType: string }>;
  /** An address that brings no picture. */
  noPicture: string;
  now(): number;
  pass(milliseconds: number): void;
  close(): Promise<void>;
}

interface TenantUnderTest {
  id: TenantId;
  agentVersionId: AgentVersionId;
}

const ada = 'ada' as EndUserId;
const bob = 'bob' as EndUserId;
const DAY_MS = 86_400_000;
/** Milliseconds for a rule: addresses are fetched. */
const TIMEOUT_MS = 60_000;

let files = 0;
function aFile(title: string): StoredFile {
  files += 1;
  const sha256 = files.toString(16).padStart(64, '0');
  return {
    title,
    kind: 'file',
    mimeType: 'text/plain',
    storageKey: `place/${sha256}`,
    sizeBytes: files,
    sha256,
  };
}

/** The rules of every `AttachmentSource`. */
export function describeAttachmentSource(name: string, open: () => Promise<AttachmentSourceUnderTest>): void {
  describe(`attachment source: ${name}`, { timeout: TIMEOUT_MS }, () => {
    let underTest: AttachmentSourceUnderTest;
    let acme: TenantUnderTest;
    let bolt: TenantUnderTest;
    beforeAll(async () => {
      underTest = await open();
      [acme, bolt] = underTest.tenants;
    });
    afterAll(() => underTest.close());

    const find = (
      inputs: AttachmentInput[],
      { endUserId = ada, threadId = null as ThreadId | null, tenant = acme } = {},
    ) => underTest.source.find(tenant.id, { endUserId, threadId }, inputs);
    const upload = (file: StoredFile, endUserId = ada, tenant = acme) =>
      underTest.addUpload(tenant.id, endUserId, file);

    /** A message with a file of its own, in a new thread unless one is named. */
    async function sent(
      title: string,
      { endUserId = ada, threadId = null as ThreadId | null, tenant = acme } = {},
    ) {
      const newThreadId = anId<ThreadId>('thread');
      const now = underTest.now();
      const file = aFile(title);
      const artifact = anArtifact({ ...file, threadId: threadId ?? newThreadId, endUserId, createdAt: now });
      const { id: artifactId } = artifact;
      const run = aNewRun({
        threadId,
        newThreadId,
        endUserId,
        agentVersionId: tenant.agentVersionId,
        attachments: [anAttachment({ ...file, artifactId })],
        artifacts: [artifact],
        now,
      });
      const outcome = await underTest.ledger.createRun(tenant.id, run, () => null);
      if (outcome.kind !== 'created') throw new Error(`the run was not created: ${outcome.kind}`);
      return { file, artifactId, threadId: outcome.run.threadId, userMessageId: run.userMessageId };
    }

    async function refusalOf(attempt: Promise<unknown>): Promise<[string, string | undefined]> {
      const error = await attempt.then(
        () => null,
        (caught: unknown) => caught,
      );
      if (!PlinthError.isInstance(error)) throw error ?? new Error('it was found');
      return [error.code, error.fields?.[0]?.path];
    }

    it('finds nothing where nothing is asked for', async () => {
      expect(await find([])).toEqual([]);
    });

    it('gives uploads, artifacts of the thread and pictures by address in the order of the inputs', async () => {
      const first = await sent('first.txt');
      const [note, picture] = [aFile('note.txt'), await underTest.addPicture()];
      const uploadId = await upload(note);
      const { artifactId, threadId } = first;
      const found = await find([{ url: picture.url }, { artifactId }, { uploadId }, { artifactId }], {
        threadId,
      });
      const { title, sizeBytes, mimeType } = picture;
      expect(found).toMatchObject([
        { file: { kind: 'image', title, sizeBytes, mimeType }, artifactId: null },
        { file: first.file, artifactId },
        { file: note, artifactId: null },
        { file: first.file, artifactId },
      ]);
      expect(Object.keys(found[2]?.file ?? {}).sort()).toEqual(Object.keys(note).sort());
    });

    it('does not know an upload of another end user, of another tenant, or that never was, and names the field', async () => {
      const own = await upload(aFile('own.txt'));
      const foreign = [
        await upload(aFile('of bob.txt'), bob),
        await upload(aFile('of bolt.txt'), ada, bolt),
        'upl_never',
      ];
      for (const uploadId of foreign)
        expect(await refusalOf(find([{ uploadId: own }, { uploadId }]))).toEqual([
          'attachment_not_found',
          'input.attachments.1.uploadId',
        ]);
    });

    it('does not know an upload a day later', async () => {
      const uploadId = await upload(aFile('old.txt'));
      underTest.pass(DAY_MS - 1);
      expect(await find([{ uploadId }])).toHaveLength(1);
      underTest.pass(1);
      expect(await refusalOf(find([{ uploadId }]))).toEqual([
        'attachment_not_found',
        'input.attachments.0.uploadId',
      ]);
    });

    it('does not know an artifact of another thread, of another end user, or of another tenant', async () => {
      const here = await sent('here.txt');
      const { threadId } = here;
      const elsewhere = [
        await sent('in another thread.txt'),
        await sent('of bob.txt', { endUserId: bob }),
        await sent('of bolt.txt', { tenant: bolt }),
      ].map(({ artifactId }) => artifactId);
      const refused = ['attachment_not_found', 'input.attachments.0.artifactId'];
      for (const artifactId of [...elsewhere, 'art_never' as ArtifactId])
        expect(await refusalOf(find([{ artifactId }], { threadId }))).toEqual(refused);
      const own = [{ artifactId: here.artifactId }];
      expect(await find(own, { threadId })).toHaveLength(1);
      expect(await refusalOf(find(own, { threadId: null }))).toEqual(refused);
      expect(await refusalOf(find(own, { threadId, endUserId: bob }))).toEqual(refused);
      expect(await refusalOf(find(own, { threadId, tenant: bolt }))).toEqual(refused);
    });

    it('knows in a fork what was sent up to its message, and not what came later', async () => {
      const first = await sent('first.txt');
      const fork = anId<ThreadId>('thread');
      const outcome = await underTest.ledger.forkThread(acme.id, {
        viewer: { endUserId: ada },
        threadId: first.threadId,
        messageId: first.userMessageId,
        newThreadId: fork,
        title: null,
        now: underTest.now(),
      });
      expect(outcome.kind).toBe('forked');
      const inFork = await sent('in the fork.txt', { threadId: fork });
      const known = [{ artifactId: first.artifactId }, { artifactId: inFork.artifactId }];
      expect((await find(known, { threadId: fork })).map(({ file }) => file.title)).toEqual([
        'first.txt',
        'in the fork.txt',
      ]);
      expect(await refusalOf(find(known, { threadId: first.threadId }))).toEqual([
        'attachment_not_found',
        'input.attachments.1.artifactId',
      ]);
    });

    it('says of an address that brings no picture that it was not fetched, and gives nothing of the others', async () => {
      const uploadId = await upload(aFile('own.txt'));
      expect(await refusalOf(find([{ uploadId }, { url: underTest.noPicture }]))).toEqual([
        'attachment_not_fetched',
        'input.attachments.1.url',
      ]);
    });
  });
}
