import { describe, expect, it } from 'vitest';
import { ALICE, BOB, EVERYBODY, type Scene } from '../scene.js';

export function approvalRules(scene: () => Scene): void {
  describe('approvals that hold for a thread', () => {
    const wish = (interruptId: string, tool = 'pay') => ({
      interruptId: interruptId as never,
      tool,
      definitionDigest: 'digest of the tool',
      createdAt: 1_000,
    });

    it('are written with the decision that uses the answer, and found by their thread', async () => {
      const s = scene();
      const { run, interrupt } = await s.parkedRun();
      const approval = wish(interrupt.id);
      await s.write(run, [{ type: 'approval.remember', approval }]);
      expect(await s.approvals.remembered(s.tenant, { endUserId: ALICE }, run.threadId)).toEqual([approval]);
      expect(await s.approvals.remembered(s.tenant, EVERYBODY, run.threadId)).toEqual([approval]);
      const other = await s.parkedRun();
      expect(await s.approvals.remembered(s.tenant, EVERYBODY, other.run.threadId)).toEqual([]);
    });

    it('are nobody else’s: neither of another end user nor of another tenant', async () => {
      const s = scene();
      const { run, interrupt } = await s.parkedRun();
      await s.write(run, [{ type: 'approval.remember', approval: wish(interrupt.id) }]);
      expect(await s.approvals.remembered(s.tenant, { endUserId: BOB }, run.threadId)).toEqual([]);
      const other = await s.otherTenant();
      expect(await s.approvals.remembered(other, EVERYBODY, run.threadId)).toEqual([]);
    });
  });
}
