import { describe, expect, test } from 'vitest';
import { aCall, aTurn } from '../builders.js';
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
  });
}
