import type { JsonObject, ToolDefinition } from '@plinth/protocol';
import { aCall, aComfyUiTool, aComponentTool, anInterrupt, aRemoteTool, aServerTool } from '@plinth/testkit';
import { describe, expect, it } from 'vitest';
import type { Interrupt, ToolCall } from '../runs/run.js';
import type { Approval } from './approval.js';
import { argumentsDigestOf } from './approvals.js';
import { callStep, isSettled, isUnconsumed } from './call-step.js';

const FENCE = 5;
const KINDS = {
  component: aComponentTool,
  remote: aRemoteTool,
  builtin: aServerTool,
  comfyui: aComfyUiTool,
} as const;
type Kind = keyof typeof KINDS;

const gate = anInterrupt({ kind: 'confirmation' });
const slot = anInterrupt({ kind: 'callback' });
const question = anInterrupt({ kind: 'question' });
const answered = anInterrupt({ state: 'answered', answeredAt: 1 });
const expired = anInterrupt({ state: 'closed', closedWhy: 'expired', answeredAt: 1 });
const consumed = anInterrupt({ state: 'answered', answeredAt: 1, consumedAt: 2 });
const closed = anInterrupt({ state: 'closed', closedWhy: 'cancelled' });

const approvalOf = (values: JsonObject): Approval => ({
  by: 'answer',
  interruptId: gate.id,
  argumentsDigest: argumentsDigestOf(values),
});

const both = [false, true];
interface Case {
  kind: Kind;
  confirm: boolean;
  idempotent: boolean;
  ask: boolean;
  status: 'pending' | 'started';
  approved: boolean;
  fence: 'own' | 'older';
  accepted: boolean;
  interrupts: keyof typeof ROWS;
}

const ROWS = {
  none: [],
  gate: [gate],
  slot: [slot],
  'slot and question': [slot, question],
  question: [question],
  answered: [answered],
  expired: [expired],
  consumed: [consumed],
  closed: [closed],
};
const CASES: Case[] = (Object.keys(KINDS) as Kind[]).flatMap((kind) =>
  both.flatMap((confirm) =>
    both.flatMap((idempotent) =>
      both.flatMap((ask) =>
        (['pending', 'started'] as const).flatMap((status) =>
          both.flatMap((approved) =>
            (['own', 'older'] as const).flatMap((fence) =>
              both.flatMap((accepted) =>
                (Object.keys(ROWS) as Case['interrupts'][]).map((interrupts) => ({
                  kind,
                  confirm,
                  idempotent,
                  ask,
                  status,
                  approved,
                  fence,
                  accepted,
                  interrupts,
                })),
              ),
            ),
          ),
        ),
      ),
    ),
  ),
);

/** The rule again, in the order in which a person would say it. */
function expected({
  kind,
  confirm,
  idempotent,
  ask,
  status,
  approved,
  fence,
  accepted,
  interrupts,
}: Case): string {
  if (interrupts === 'answered' || interrupts === 'expired') return 'apply';
  if (interrupts === 'question' || interrupts === 'slot and question') return 'wait';
  if (status === 'pending') {
    if (interrupts === 'gate') return 'wait';
    if (confirm && !approved) return 'confirm';
    return { component: 'show', remote: 'dispatch', builtin: 'execute', comfyui: 'dispatch' }[kind];
  }
  if (fence === 'own') return 'wait';
  const isJob = kind === 'remote' || kind === 'comfyui';
  const jobIsSafe = isJob ? accepted : true;
  if ((interrupts === 'gate' || interrupts === 'slot') && jobIsSafe) return 'wait';
  // A workflow is looked for first.
  if (kind === 'comfyui') return 'dispatch';
  if (!idempotent) return ask ? 'ask' : 'give_up';
  return kind === 'remote' ? 'dispatch' : 'execute';
}

function stepOf(values: Case) {
  const { kind, confirm, idempotent, ask, status, approved, fence, accepted } = values;
  const tool = KINDS[kind]('tool', {
    requireConfirmation: confirm ? 'always' : 'never',
    onUnknown: ask ? 'ask' : 'tell_model',
    idempotent,
  });
  const started = status === 'started';
  const call = aCall({
    tool: 'tool',
    status,
    approval: approved ? approvalOf({}) : null,
    startedAt: started ? 1 : null,
    startedFence: started ? (fence === 'own' ? FENCE : FENCE - 1) : null,
    acceptedAt: started && accepted ? 1 : null,
  });
  return callStep(call, tool, ROWS[values.interrupts], FENCE);
}

describe('the next step of a call', () => {
  it(`is what the rule says in each of ${CASES.length} cases`, () => {
    const wrong = CASES.map((values) => ({
      ...values,
      expected: expected(values),
      is: stepOf(values).do as string,
    })).filter((row) => row.expected !== row.is);
    expect(wrong).toEqual([]);
  });

  it('a non-idempotent tool that was started by another worker never runs again', () => {
    const again = CASES.filter(
      ({ kind, status, fence, idempotent }) =>
        kind !== 'comfyui' && status === 'started' && fence === 'older' && !idempotent,
    ).map(stepOf);
    expect(again.filter((step) => step.do === 'execute' || step.do === 'dispatch')).toEqual([]);
  });

  it('a gated call does not run before it was approved', () => {
    const early = CASES.filter(
      ({ confirm, approved, status }) => confirm && !approved && status === 'pending',
    ).map(stepOf);
    expect(early.filter((step) => ['execute', 'dispatch', 'show'].includes(step.do))).toEqual([]);
  });

  it('a repeated job keeps its callback address; a job that is given up closes it, one that is asked about does not', () => {
    const lost = {
      kind: 'remote',
      confirm: false,
      status: 'started',
      approved: false,
      fence: 'older',
      accepted: false,
      ask: false,
      interrupts: 'slot',
    } as const;
    expect(stepOf({ ...lost, idempotent: true })).toMatchObject({ do: 'dispatch', interrupt: slot });
    expect(stepOf({ ...lost, idempotent: false })).toEqual({ do: 'give_up', interrupt: slot });
    expect(stepOf({ ...lost, idempotent: false, ask: true })).toEqual({ do: 'ask', tool: expect.anything() });
    expect(stepOf({ ...lost, idempotent: false, status: 'pending' })).toMatchObject({ interrupt: slot });
  });

  it("a job's callback is used before what a person says of it", () => {
    const says = anInterrupt({ kind: 'question', state: 'answered', answeredAt: 1 });
    const brings = anInterrupt({ kind: 'callback', state: 'answered', answeredAt: 2 });
    const step = callStep(aCall({ status: 'started' }), aRemoteTool('tool'), [says, brings], FENCE);
    expect(step).toEqual({ do: 'apply', interrupt: brings });
  });

  it.each(['succeeded', 'failed', 'declined', 'expired', 'cancelled', 'superseded', 'unknown'] as const)(
    'a call that is %s needs nothing',
    (status) => {
      expect(callStep(aCall({ status }), aServerTool('tool'), [], FENCE)).toEqual({ do: 'nothing' });
      expect(isSettled(aCall({ status }))).toBe(true);
    },
  );

  it('an unknown tool is rejected with its name', () => {
    expect(callStep(aCall({ tool: 'made_up' }), undefined, [], FENCE)).toMatchObject({
      do: 'reject',
      code: 'unknown_tool',
      message: expect.stringContaining('"made_up"'),
    });
  });

  const strict: ToolDefinition = aServerTool('tool', {
    requireConfirmation: 'always',
    parameters: { type: 'object', required: ['n'], properties: { n: { type: 'number' } } },
  });
  const check = (fields: Partial<ToolCall>, interrupts: Interrupt[] = []) =>
    callStep(aCall({ tool: 'tool', ...fields }), strict, interrupts, FENCE);

  it.each([
    ['not JSON', '{"n":', 'not a JSON object'],
    ['an array', '[1]', 'not a JSON object'],
    ['null', 'null', 'not a JSON object'],
    ['not fitting', '{"n":"x"}', 'n must be number'],
    ['missing', '', 'n is required'],
  ])(
    'arguments that are %s are rejected before anybody is asked to approve them',
    (_name, argumentsRaw, message) => {
      expect(check({ argumentsRaw })).toMatchObject({
        do: 'reject',
        code: 'invalid_arguments',
        message: expect.stringContaining(message),
      });
    },
  );

  it('edited arguments start again at the check, and take the place of the first ones', () => {
    const approval = approvalOf({ n: 1 });
    expect(check({ argumentsRaw: '{"n":1}', argumentsEdited: '{"n":"x"}', approval })).toMatchObject({
      do: 'reject',
    });
    expect(check({ argumentsRaw: '{"n":"x"}', argumentsEdited: '{"n":1}', approval })).toMatchObject({
      do: 'execute',
    });
  });

  it('an approval is of its arguments: a call that has others by now is asked about again', () => {
    const approval = approvalOf({ n: 1 });
    expect(check({ argumentsRaw: '{"n": 1}', approval })).toMatchObject({ do: 'execute' });
    expect(check({ argumentsRaw: '{"n":2}', approval })).toMatchObject({ do: 'confirm' });
    expect(check({ argumentsRaw: '{"n":1}', argumentsEdited: '{"n":2}', approval })).toMatchObject({
      do: 'confirm',
    });
  });

  it('an expiry is an answer that has to be used', () => {
    expect([gate, answered, expired, consumed, closed].map(isUnconsumed)).toEqual([
      false,
      true,
      true,
      false,
      false,
    ]);
  });
});
