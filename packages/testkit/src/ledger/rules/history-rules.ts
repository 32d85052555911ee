import type { Run } from '@plinth/engine';
import { type ContextCut, NO_CUT } from '@plinth/engine';
import type { ThreadId } from '@plinth/protocol';
import { describe, expect, test } from 'vitest';
import { aCall, anArtifact, anAttachment, anImageRef, aTurn } from '../builders.js';
import type { Scene } from '../scene.js';

export function historyRules(scene: () => Scene): void {
  describe('the history of a run', () => {
    test('is every message before it, oldest first, the results of each answer in call order', async () => {
      const s = scene();
      const first = await s.runningRun({ text: 'a poster, please' });
      const asksTwice = '{"role":"assistant","tool_calls":[{"id":"b"},{"id":"a"}],"content":null}';
      const [firstCall, secondCall] = [
        aCall({ providerCallId: 'b' }),
        aCall({ providerCallId: 'a', position: 1 }),
      ];
      await s.write(first, [
        { type: 'turn.append', turn: aTurn({ assistantRaw: asksTwice }) },
        { type: 'call.create', call: secondCall },
        { type: 'call.create', call: firstCall },
      ]);
      await s.write(first, [
        { type: 'call.update', callId: secondCall.id, set: { status: 'succeeded', resultText: 'two' } },
        {
          type: 'call.update',
          callId: firstCall.id,
          set: { status: 'failed', resultText: 'one "quoted" 茶' },
        },
        {
          type: 'turn.append',
          turn: aTurn({ index: 1, assistantRaw: '{"content":"Done.","role":"assistant"}' }),
        },
      ]);
      await s.end(first);

      const second = await s.queuedRun({ threadId: first.threadId, text: 'now in 中文 🍵' });
      expect((await s.ledger.loadRun(s.tenant, second.id))?.history).toEqual([
        '{"role":"user","content":"a poster, please"}',
        asksTwice,
        '{"role":"tool","tool_call_id":"b","content":"one \\"quoted\\" 茶"}',
        '{"role":"tool","tool_call_id":"a","content":"two"}',
        '{"content":"Done.","role":"assistant"}',
        '{"role":"user","content":"now in 中文 🍵"}',
      ]);
      expect((await s.ledger.loadRun(s.tenant, first.id))?.history).toEqual([
        '{"role":"user","content":"a poster, please"}',
      ]);
    });

    test('holds only the question of a run that ended before its first answer', async () => {
      const s = scene();
      const first = await s.runningRun({ text: 'hello?' });
      await s.end(first, 'failed');
      const second = await s.queuedRun({ threadId: first.threadId, text: 'again' });
      expect((await s.ledger.loadRun(s.tenant, second.id))?.history).toEqual([
        '{"role":"user","content":"hello?"}',
        '{"role":"user","content":"again"}',
      ]);
    });

    test('names what people sent along: pictures as parts, everything else in words', async () => {
      const s = scene();
      const poster = anAttachment({ title: 'old "poster"' });
      const prices = anAttachment({
        kind: 'table',
        mimeType: 'text/csv',
        title: 'prices.csv',
        readWith: 'get_artifact',
      });
      const first = await s.runningRun({ text: 'like this', attachments: [poster, prices] });
      await s.end(first);
      const second = await s.queuedRun({ threadId: first.threadId, text: '', attachments: [poster] });
      const { kind: _kind, readWith: _readWith, ...image } = poster;
      const history = (await s.ledger.loadRun(s.tenant, second.id))?.history.map((text) => JSON.parse(text));
      expect(history).toEqual([
        {
          role: 'user',
          content: [
            { type: 'text', text: 'like this' },
            { type: 'image', image },
            {
              type: 'text',
              text: `Attached: "prices.csv" (table, text/csv, 1024 bytes), artifact ${prices.artifactId}. Read it with get_artifact.`,
            },
          ],
        },
        { role: 'user', content: [{ type: 'image', image }] },
      ]);
      expect((await s.claim(second.id))?.conversation?.history.map((text) => JSON.parse(text))).toEqual(
        history,
      );
    });

    test('has the pictures of a turn behind all of its results, in call order', async () => {
      const s = scene();
      const first = await s.runningRun({ text: 'show me' });
      const images = ['a', 'b', 'c'].map((title) => anImageRef({ title }));
      const shown = aCall({
        position: 0,
        status: 'succeeded',
        resultText: 'two',
        images: images.slice(0, 2),
      });
      const plain = aCall({ position: 1, status: 'succeeded', resultText: 'none' });
      const last = aCall({ position: 2, status: 'succeeded', resultText: 'one', images: images.slice(2) });
      await s.write(first, [
        { type: 'turn.append', turn: aTurn() },
        ...[last, plain, shown].map((call) => ({ type: 'call.create' as const, call })),
        { type: 'turn.append', turn: aTurn({ index: 1 }) },
      ]);
      await s.end(first);
      const second = await s.queuedRun({ threadId: first.threadId, text: 'and now?' });
      const history = (await s.ledger.loadRun(s.tenant, second.id))?.history.map((text) => JSON.parse(text));
      expect(history?.map(({ role }) => role)).toEqual([
        'user',
        'assistant',
        'tool',
        'tool',
        'tool',
        'images',
        'assistant',
        'user',
      ]);
      expect(history?.[5]).toEqual({ role: 'images', images });
    });

    test('comes with the newest cut on the way, and a branch does not inherit that of another', async () => {
      const s = scene();
      const cut = (from: number): ContextCut => ({
        ...NO_CUT,
        from,
        summary: `what was said before ${from}`,
      });
      const inherited = async (runId: Run['id']) => (await s.ledger.loadRun(s.tenant, runId))?.inheritedCut;
      const ended = async (threadId: ThreadId | null, contextCut: ContextCut | null) => {
        const run = await s.runningRun({ threadId });
        await s.write(run, [{ type: 'run.update', set: { contextCut } }]);
        await s.end(run);
        return run;
      };
      const first = await ended(null, null);
      expect(await inherited(first.id)).toEqual(NO_CUT);
      const second = await ended(first.threadId, cut(1));
      expect(await inherited(second.id)).toEqual(NO_CUT);
      const third = await ended(first.threadId, cut(2));
      expect(await inherited(third.id)).toEqual(cut(1));
      const fourth = await ended(first.threadId, null);
      const fifth = await s.queuedRun({ threadId: first.threadId });
      expect([await inherited(fourth.id), await inherited(fifth.id)]).toEqual([cut(2), cut(2)]);
      expect((await s.claim(fifth.id))?.conversation?.inheritedCut).toEqual(cut(2));
      await s.end(fifth);
      const again = await s.queuedRun({
        threadId: first.threadId,
        userMessageId: third.userMessageId,
        text: null,
      });
      expect(await inherited(again.id)).toEqual(cut(1));
    });

    test('of a message that brought a file: the file is an artifact of the thread, and of no run', async () => {
      const s = scene();
      const input = s.newRun();
      const artifact = anArtifact({ threadId: input.newThreadId, endUserId: input.endUserId });
      const run = await s.queuedRun({
        ...input,
        attachments: [anAttachment({ artifactId: artifact.id })],
        artifacts: [artifact],
      });
      expect(await s.artifacts(run.threadId)).toEqual([artifact]);
      expect((await s.ledger.loadRun(s.tenant, run.id))?.artifacts).toEqual([]);
    });
  });
}
