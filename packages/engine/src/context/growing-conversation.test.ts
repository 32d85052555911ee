import { contextConfig } from '@plinth/protocol';
import { describe, expect, it } from 'vitest';
import {
  answerMessages,
  aPicture,
  FIXED,
  policyOf,
  settle,
  userMessage,
} from '../../testing/random-conversations.js';
import { NO_CUT, sameCut } from './context-cut.js';
import { KnownPictures } from './known-pictures.js';

const TURNS = 40;

type Settings = Parameters<typeof contextConfig.parse>[0];

/** How often what is left out changes while a conversation grows by one exchange a turn. */
function changesOf(settings: Settings, exchange: (turn: number) => string[]): number {
  const policy = policyOf(contextConfig.parse(settings));
  const known = new KnownPictures();
  const messages: string[] = [];
  let cut = NO_CUT;
  let changes = 0;
  for (let turn = 0; turn < TURNS; turn += 1) {
    messages.push(...exchange(turn));
    const question = userMessage(`Question ${turn}?`, []);
    const asked = [...messages, question];
    const { plan } = settle({ fixed: FIXED, messages: asked, cut, policy, known, calibration: 1 });
    if (plan.kind !== 'fits') throw new Error(`turn ${turn} is ${plan.kind}`);
    if (!sameCut(plan.cut, cut)) changes += 1;
    cut = plan.cut;
    messages.push(question, ...answerMessages({ said: 'Yes.', results: [], pictures: [] }, `a${turn}`));
  }
  return changes;
}

describe('what is left out of a conversation that grows turn by turn', () => {
  it('of texts, changes once in several turns: each time there is room for the next ones', () => {
    const exchange = (turn: number) => [
      userMessage(`Turn ${turn}. ${'What about the leaves? '.repeat(16)}`, []),
      ...answerMessages({ said: 'They are green.', results: [], pictures: [] }, `q${turn}`),
    ];
    const changes = changesOf({ endpoint: { windowTokens: 2_400 }, summary: { enabled: false } }, exchange);
    expect(changes).toBeGreaterThan(2);
    expect(changes).toBeLessThanOrEqual(TURNS / 4);
  });

  it('of pictures, changes once in several turns', () => {
    const exchange = (turn: number) => [
      userMessage(`Picture ${turn}.`, [aPicture(`photo-${turn}`, 15_000)]),
      ...answerMessages({ said: 'Seen.', results: [], pictures: [] }, `q${turn}`),
    ];
    const changes = changesOf({ bodyBytes: 300_000, endpoint: { maxImages: 100 } }, exchange);
    expect(changes).toBeGreaterThan(2);
    expect(changes).toBeLessThanOrEqual(TURNS / 4);
  });

  it('of more pictures than a request may have, changes once in several turns', () => {
    const exchange = (turn: number) => [
      userMessage(`Picture ${turn}.`, [aPicture(`photo-${turn}`, 4_000)]),
      ...answerMessages({ said: 'Seen.', results: [], pictures: [] }, `q${turn}`),
    ];
    const changes = changesOf({ endpoint: { maxImages: 20 } }, exchange);
    expect(changes).toBeGreaterThan(2);
    expect(changes).toBeLessThanOrEqual(TURNS / 4);
  });
});
