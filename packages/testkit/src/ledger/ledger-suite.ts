import { afterAll, beforeAll, beforeEach, describe } from 'vitest';
import { approvalRules } from './rules/approval-rules.js';
import { createRunRules } from './rules/create-run-rules.js';
import { dueWorkRules } from './rules/due-work-rules.js';
import { forkRules } from './rules/fork-rules.js';
import { headRules } from './rules/head-rules.js';
import { historyRules } from './rules/history-rules.js';
import { leaseRules } from './rules/lease-rules.js';
import { outboxRules } from './rules/outbox-rules.js';
import { readingRules } from './rules/reading-rules.js';
import { retryRules } from './rules/retry-rules.js';
import { transactRules } from './rules/transact-rules.js';
import { type LedgerUnderTest, Scene } from './scene.js';

/** What the fixture of one ledger has to offer, besides the ports. */
export type { LedgerUnderTest } from './scene.js';

/**
 * The rules of `Ledger`, `EventOutbox` and `DueWork`, stated once. Every implementation runs them, so that the
 * one in memory cannot promise what the one in Postgres does not keep.
 */
export function describeLedger(name: string, makeLedger: () => Promise<LedgerUnderTest>): void {
  describe(name, () => {
    let underTest: LedgerUnderTest;
    let scene: Scene;

    beforeAll(async () => {
      underTest = await makeLedger();
    });
    beforeEach(async () => {
      scene = await Scene.set(underTest);
    });
    afterAll(async () => {
      await underTest?.close();
    });

    const rules = {
      createRunRules,
      historyRules,
      headRules,
      forkRules,
      retryRules,
      leaseRules,
      transactRules,
      readingRules,
      outboxRules,
      dueWorkRules,
      approvalRules,
    };
    for (const state of Object.values(rules)) state(() => scene);
  });
}
