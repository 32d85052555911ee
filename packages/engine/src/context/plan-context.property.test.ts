import { pairingProblem } from '@plinth/testkit';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  answerMessages,
  aPicture,
  bodyOf,
  conversation,
  FIXED,
  policy,
  settle,
  userMessage,
} from '../../testing/random-conversations.js';
import { NO_CUT, sameCut } from './context-cut.js';
import { KnownPictures } from './known-pictures.js';
import { type FittingPlan, type PlanInput, planContext } from './plan-context.js';

const RUNS = { numRuns: 60 };
/** Milliseconds: on a busy machine the random texts alone take seconds to count. */
const PATIENCE_MS = 60_000;
const calibration = fc.constantFrom(0.9, 1, 1.3);

interface Message {
  role: string;
  content: string | null | { type: string; text?: string; image_url?: { url: string } }[];
  tool_calls?: { id: string; function: { name: string; arguments: string } }[];
  tool_call_id?: string;
}

const inputOf = (messages: readonly string[], limits: PlanInput['policy'], factor: number): PlanInput => ({
  fixed: FIXED,
  messages,
  cut: NO_CUT,
  policy: limits,
  known: new KnownPictures(),
  calibration: factor,
});

const messagesOf = (plan: FittingPlan): Message[] =>
  (JSON.parse(bodyOf(plan)) as { messages: Message[] }).messages;

const urlsOf = (messages: readonly Message[]): string[] =>
  messages.flatMap(({ content }) =>
    Array.isArray(content) ? content.flatMap((part) => (part.image_url ? [part.image_url.url] : [])) : [],
  );

/** All messages up to the announcement, which is new in every turn. */
const prefixOf = (plan: FittingPlan): string => {
  const body = bodyOf(plan);
  return body.slice(0, body.indexOf(`,${FIXED.announcement}`));
};

/** For each conversation and each budget: what holds of its plan when there is one. */
function always(rule: (plan: FittingPlan, input: PlanInput) => void): void {
  fc.assert(
    fc.property(conversation, policy, calibration, (messages, limits, factor) => {
      const input = inputOf(messages, limits, factor);
      const { plan } = settle(input);
      if (plan.kind === 'fits') rule(plan, input);
    }),
    RUNS,
  );
}

describe('whatever the conversation and the budgets, a plan', { timeout: PATIENCE_MS }, () => {
  it('breaks no wall, and says its exact size', () => {
    always((plan, input) => {
      const { profile, budgetTokens } = input.policy;
      expect(Buffer.byteLength(bodyOf(plan))).toBe(plan.bytes);
      expect(plan.bytes).toBeLessThanOrEqual(profile.bodyBytes);
      const counted = planContext({ ...input, cut: plan.cut, inFull: true });
      if (counted.kind !== 'fits') throw new Error(`counted in full it is ${counted.kind}`);
      expect(counted.tokens).toBeLessThanOrEqual(budgetTokens);
      const sizes = urlsOf(messagesOf(plan)).map((url) => url.length - 'data:image/jpeg;base64,'.length);
      expect(sizes.length).toBeLessThanOrEqual(profile.maxImages);
      for (const size of sizes) expect(size).toBeLessThanOrEqual(4 * Math.ceil(profile.imageBytes / 3));
      if (profile.imagesTotalBytes !== null)
        expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(profile.imagesTotalBytes);
    });
  });

  it('leaves no call without its result, no result without its call, and splits no answer from them', () => {
    always((plan, { messages }) => {
      const sent = messagesOf(plan);
      expect(pairingProblem(sent as Parameters<typeof pairingProblem>[0])).toBeNull();
      const stored = messages.map((text) => JSON.parse(text) as Message);
      for (const { tool_calls: calls = [] } of stored) {
        const kept = calls.filter(({ id }) => sent.some(({ tool_call_id }) => tool_call_id === id));
        expect([0, calls.length]).toContain(kept.length);
      }
    });
  });

  it('keeps instructions, tools and announcement, and what the person has just asked, as they are', () => {
    always((plan, { messages }) => {
      const body = bodyOf(plan);
      expect(body.startsWith(`${FIXED.head}${FIXED.system},`)).toBe(true);
      expect(body.endsWith(`,${FIXED.announcement}],${FIXED.tools}${FIXED.tail}`)).toBe(true);
      const asked = messages.findLast((text) => text.startsWith('{"role":"user"')) ?? '';
      const { content } = JSON.parse(asked) as Message;
      const words = typeof content === 'string' ? content : (content?.[0]?.text ?? '');
      expect(body).toContain(JSON.stringify(words));
      const answers = messages
        .slice(messages.lastIndexOf(asked))
        .filter((text) => text.startsWith('{"role":"assistant"'));
      for (const answer of answers) expect(body).toContain(answer);
    });
  });

  it('sends each picture once, and none that cannot be shown', () => {
    let most = 0;
    always((plan) => {
      most = Math.max(most, plan.draft.pictures.length);
      const shown = plan.draft.pictures.map(({ image }) => image.sha256);
      expect(new Set(shown).size).toBe(shown.length);
      expect(shown).not.toContain('broken');
      expect(urlsOf(messagesOf(plan))).toHaveLength(shown.length);
    });
    expect(most).toBeGreaterThan(1);
  });

  it('is the same bytes for the same input, whoever plans', () => {
    fc.assert(
      fc.property(conversation, policy, calibration, (messages, limits, factor) => {
        const once = settle(inputOf(messages, limits, factor)).plan;
        const copy = JSON.parse(JSON.stringify(messages)) as string[];
        const again = settle(inputOf(copy, limits, factor)).plan;
        expect(again.kind).toBe(once.kind);
        if (once.kind === 'fits' && again.kind === 'fits') expect(bodyOf(again)).toBe(bodyOf(once));
        else expect(again).toEqual(once);
      }),
      RUNS,
    );
  });

  it('is reached after few rounds, and made again of its own cut it leaves out nothing more', () => {
    fc.assert(
      fc.property(conversation, policy, calibration, (messages, limits, factor) => {
        const input = inputOf(messages, limits, factor);
        const { plan, rounds } = settle(input);
        expect(rounds).toBeLessThanOrEqual(20);
        if (plan.kind !== 'fits') return;
        const again = planContext({ ...input, cut: plan.cut });
        if (again.kind !== 'fits') throw new Error(`made again it is ${again.kind}`);
        expect(sameCut(again.cut, plan.cut)).toBe(true);
        expect(bodyOf(again)).toBe(bodyOf(plan));
      }),
      RUNS,
    );
  });

  it('begins with the bytes of the one before it, as long as nothing more is left out', () => {
    fc.assert(
      fc.property(conversation, policy, calibration, (messages, limits, factor) => {
        const input = inputOf(messages, limits, factor);
        const before = settle(input).plan;
        if (before.kind !== 'fits') return;
        const pictures = [aPicture('new', 30_000)];
        const grown = [
          ...messages,
          ...answerMessages({ said: 'Look.', results: ['{"result":1}'], pictures }, 'next'),
          userMessage('And now?', pictures),
        ];
        const { plan } = settle({ ...input, messages: grown, cut: before.cut });
        if (plan.kind !== 'fits' || !sameCut(plan.cut, before.cut)) return;
        expect(prefixOf(plan).startsWith(prefixOf(before))).toBe(true);
      }),
      RUNS,
    );
  });

  it('accounts for every byte', () => {
    always((plan) => {
      const sum = Object.values(plan.accounts).reduce((total, { bytes }) => total + bytes, 0);
      expect(sum).toBe(plan.bytes);
    });
  });

  it('that cannot be made says what would be needed and what is allowed', () => {
    fc.assert(
      fc.property(conversation, policy, (messages, limits) => {
        const { plan } = settle(inputOf(messages, limits, 1));
        if (plan.kind === 'unfit') expect(plan.problem.needed).toBeGreaterThan(plan.problem.allowed);
      }),
      RUNS,
    );
  });
});
