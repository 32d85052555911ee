import type { CallPatch, Interrupt, InterruptPatch, LedgerChange, RunPatch, RunRecord } from '@plinth/engine';
import * as fc from 'fast-check';
import { aServerTool } from '../engine/tool-builders.js';
import { aCall, anArtifact, anImageRef, anInterrupt, aTurn, aTurnContext } from './builders.js';

/** Any text that Postgres can keep: all of Unicode but NUL. */
const text = fc.string({ unit: 'binary' }).map((value) => value.replaceAll('\0', ''));
const instant = fc.integer({ min: 0, max: 4_102_444_800_000 });
const orNull = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { nil: null });
const error = orNull(fc.record({ code: text, message: text }));
const count = fc.nat({ max: 1_000_000 });
const tokens = { inputTokens: count, cachedInputTokens: count, outputTokens: count };
const cost = fc.nat(1_000_000).map((parts) => parts / 1_000_000);
const usage = fc.oneof(fc.record(tokens), fc.record({ ...tokens, cost }));

const anyImage = text.map((title) => anImageRef({ title }));
const anyCut = fc.record({
  from: count,
  summary: orNull(text),
  clearedBefore: count,
  shortened: orNull(fc.record({ before: count, to: count })),
  images: fc.dictionary(text, fc.constantFrom('rejected' as const, 3), { maxKeys: 3 }),
  removed: fc.dictionary(text, count, { maxKeys: 3 }),
  learned: fc.constantFrom({}, { inputTokens: 1_000 }, { bodyBytes: 1, maxImages: 0 }),
  walls: fc.constantFrom({}, { result_cleared: 'tokens' as const }),
});

const anyTool = text.map((description) => ({ ...aServerTool('a_tool'), description }));

const callPatch: fc.Arbitrary<CallPatch> = fc.record(
  {
    argumentsEdited: orNull(text),
    status: fc.constantFrom('pending', 'started', 'succeeded', 'failed', 'declined', 'expired', 'unknown'),
    approvedAt: orNull(instant),
    approval: orNull(
      fc.record({
        by: fc.constantFrom('answer', 'remembered'),
        interruptId: text as fc.Arbitrary<Interrupt['id']>,
        argumentsDigest: text,
      }),
    ),
    permission: orNull(
      fc.record({ effect: fc.constantFrom('allow', 'ask', 'deny'), revision: count, rule: orNull(text) }),
    ),
    startedAt: orNull(instant),
    startedFence: orNull(count),
    acceptedAt: orNull(instant),
    finishedAt: orNull(instant),
    resultText: orNull(text),
    summary: orNull(text),
    error,
    images: fc.array(anyImage, { maxLength: 2 }),
    artifactIds: fc.array(text) as fc.Arbitrary<NonNullable<CallPatch['artifactIds']>>,
    fromCache: fc.boolean(),
    enabledTools: orNull(fc.array(anyTool, { maxLength: 2 })),
    visibility: fc.constantFrom('chat', 'shadow', 'internal'),
  },
  { requiredKeys: [] },
);

const interruptPatch: fc.Arbitrary<InterruptPatch> = fc.record(
  {
    state: fc.constantFrom('open', 'answered', 'closed'),
    answer: orNull(fc.record({ type: fc.constant('submit' as const), value: fc.dictionary(text, text) })),
    answeredBy: orNull(fc.record({ kind: fc.constantFrom('end_user', 'api_key', 'remote'), id: text })),
    answeredAt: orNull(instant),
    answerRequestId: orNull(text),
    consumedAt: orNull(instant),
    closedWhy: orNull(fc.constantFrom('expired', 'cancelled', 'superseded', 'settled')),
  },
  { requiredKeys: [] },
);

/** Everything but the status, whose changes have rules of their own. */
const runPatch: fc.Arbitrary<RunPatch> = fc.record(
  {
    reason: orNull(fc.constantFrom('final_answer', 'cancelled', 'model_error')),
    error,
    usage,
    leaseUntil: orNull(instant),
    cancelRequestedAt: orNull(instant),
    eventEpoch: fc.integer({ min: 1, max: 1000 }),
    eventTail: count,
    contextCut: orNull(anyCut),
    finishedAt: orNull(instant),
  },
  { requiredKeys: [] },
);

/** What to do next; `pick` chooses among the rows that are there by then. */
const step = fc.oneof(
  fc.record({
    do: fc.constant('turn' as const),
    text,
    reasoning: orNull(text),
    usage,
    cut: orNull(anyCut),
    at: instant,
  }),
  fc.record({ do: fc.constant('call' as const), text, pick: fc.nat() }),
  fc.record({ do: fc.constant('call.update' as const), set: callPatch, pick: fc.nat() }),
  fc.record({
    do: fc.constant('interrupt' as const),
    at: instant,
    expiresAt: orNull(instant),
    pick: fc.nat(),
  }),
  fc.record({ do: fc.constant('interrupt.update' as const), set: interruptPatch, pick: fc.nat() }),
  fc.record({ do: fc.constant('artifact' as const), title: text, pick: fc.nat() }),
  fc.record({ do: fc.constant('run' as const), set: runPatch }),
);
export type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

/** Several transactions, one after the other. */
export const randomTransactions: fc.Arbitrary<Step[][]> = fc.array(fc.array(step, { maxLength: 12 }), {
  minLength: 1,
  maxLength: 4,
});

/** Makes changes of the steps that a ledger accepts: what they point to exists, and no place is taken twice. */
export function toChanges(steps: readonly Step[], record: RunRecord): LedgerChange[] {
  const turns = record.turns.map((turn) => turn.index);
  const calls = record.calls.map(({ id, turnIndex }) => ({ id, turnIndex }));
  const interrupts = record.interrupts.map((interrupt) => interrupt.id);
  const changes: LedgerChange[] = [];
  const among = <Item>(items: readonly Item[], pick: number): Item | undefined =>
    items[pick % Math.max(items.length, 1)];

  for (const wanted of steps) {
    switch (wanted.do) {
      case 'turn': {
        const { text: assistantRaw, reasoning, usage: used, cut, at: createdAt } = wanted;
        const context = cut === null ? null : aTurnContext({ cut });
        const turn = aTurn({ index: turns.length, assistantRaw, reasoning, usage: used, context, createdAt });
        turns.push(turn.index);
        changes.push({ type: 'turn.append', turn });
        break;
      }
      case 'call': {
        const turnIndex = among(turns, wanted.pick);
        if (turnIndex === undefined) break;
        const position = calls.filter((call) => call.turnIndex === turnIndex).length;
        const call = aCall({ turnIndex, position, argumentsRaw: wanted.text });
        calls.push(call);
        changes.push({ type: 'call.create', call });
        break;
      }
      case 'call.update': {
        const call = among(calls, wanted.pick);
        if (call) changes.push({ type: 'call.update', callId: call.id, set: wanted.set });
        break;
      }
      case 'interrupt': {
        const call = among(calls, wanted.pick);
        if (!call) break;
        const interrupt = anInterrupt({ callId: call.id, openedAt: wanted.at, expiresAt: wanted.expiresAt });
        interrupts.push(interrupt.id);
        changes.push({ type: 'interrupt.open', interrupt });
        break;
      }
      case 'interrupt.update': {
        const interruptId = among(interrupts, wanted.pick);
        if (interruptId) changes.push({ type: 'interrupt.update', interruptId, set: wanted.set });
        break;
      }
      case 'artifact': {
        const { threadId, endUserId, id: runId } = record.run;
        const callId = among(calls, wanted.pick)?.id ?? null;
        changes.push({
          type: 'artifact.create',
          artifact: anArtifact({ threadId, endUserId, runId, callId, title: wanted.title }),
        });
        break;
      }
      case 'run':
        changes.push({ type: 'run.update', set: wanted.set });
        break;
    }
  }
  return changes;
}
