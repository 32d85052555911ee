import { contextConfig } from '@plinth/protocol';
import { pairingProblem } from '@plinth/testkit';
import { describe, expect, it } from 'vitest';
import {
  answerMessages,
  bodyOf,
  FIXED,
  policyOf,
  settle,
  userMessage,
} from '../../testing/random-conversations.js';
import { NO_CUT } from './context-cut.js';
import { KnownPictures } from './known-pictures.js';

const results = Array.from({ length: 7 }, (_, n) => JSON.stringify({ result: `order ${n} `.repeat(80) }));
const messages = [
  userMessage('Look at all seven.', []),
  ...answerMessages({ said: '', results, pictures: [] }, 'all'),
  ...answerMessages({ said: 'I have looked.', results: [], pictures: [] }, 'done'),
  userMessage('And now?', []),
];

describe('C2: an answer with seven calls', () => {
  it('stays with all of its results, or goes with all of them, at every possible budget', {
    timeout: 60_000,
  }, () => {
    const kept = new Set<number>();
    for (let windowTokens = 1_000; windowTokens < 4_000; windowTokens += 25) {
      const policy = policyOf(
        contextConfig.parse({ endpoint: { windowTokens }, summary: { enabled: false } }),
      );
      const input = {
        fixed: FIXED,
        messages,
        cut: NO_CUT,
        policy,
        known: new KnownPictures(),
        calibration: 1,
      };
      const { plan } = settle(input);
      if (plan.kind !== 'fits') throw new Error(`${windowTokens} tokens are too few for one question`);
      const sent = (JSON.parse(bodyOf(plan)) as { messages: Parameters<typeof pairingProblem>[0] }).messages;
      expect(pairingProblem(sent)).toBeNull();
      kept.add(sent.filter(({ role }) => role === 'tool').length);
    }
    expect([...kept].sort()).toEqual([0, 7]);
  });
});
