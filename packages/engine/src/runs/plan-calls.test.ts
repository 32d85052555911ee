import type { TenantId, ToolDefinition } from '@plinth/protocol';
import {
  aCall,
  aComponentTool,
  anInterrupt,
  aRemoteTool,
  aRun,
  aServerTool,
  aTurn,
  SequentialIds,
} from '@plinth/testkit';
import { describe, expect, it } from 'vitest';
import type { AgentVersion } from '../agent-catalog.js';
import { NO_CUT } from '../context/context-cut.js';
import { applyChanges } from './ledger-change.js';
import { type PlanContext, planCalls } from './plan-calls.js';
import type { Interrupt, RunState, ToolCall } from './run.js';

const NOW = 50_000;
const FENCE = 3;
const NUMBERED = { type: 'object', required: ['n'], properties: { n: { type: 'number' } } };

const FORM = aComponentTool('form', { waitTimeoutSeconds: 10, props: { fixed: 1, n: 0 } });
const GATED = aServerTool('gated', { requireConfirmation: 'always', parameters: NUMBERED });
const GATED_FORM = aComponentTool('gated_form', { requireConfirmation: 'always' });
const GATED_JOB = aRemoteTool('gated_job', { requireConfirmation: 'always' });
const FREE = aServerTool('free');
const JOB = aRemoteTool('job');
const TOOLS = [FORM, GATED, GATED_FORM, GATED_JOB, FREE, JOB];

function contextOf(tools: ToolDefinition[] = TOOLS): PlanContext {
  const definition = {
    key: 'agent',
    name: 'Agent',
    instructions: 'Be good.',
    tools: [],
    skills: [],
    config: {},
  };
  const agent: AgentVersion = {
    id: 'agv_1' as AgentVersion['id'],
    version: 1,
    definition,
    tools,
    skills: [],
  };
  const issue = (_tenant: TenantId, id: string) => ({
    tokenHash: `hash of ${id}`,
    url: `url of ${id}`,
    progressUrl: '',
  });
  return {
    tenant: 'ten_1' as TenantId,
    agent,
    ids: new SequentialIds(),
    callbacks: { issue },
    now: NOW,
    canRun: () => true,
    remembered: [],
    permissions: { tenant: [], agent: [], revision: 1 },
    maxParallel: 5,
    maxRepeatedCalls: 3,
  };
}

function stateOf(calls: ToolCall[], interrupts: Interrupt[] = []): RunState {
  const turns = [...new Set(calls.map(({ turnIndex }) => turnIndex))].sort().map((index) => aTurn({ index }));
  return {
    run: aRun({ status: 'running', fence: FENCE }),
    history: [],
    inheritedCut: NO_CUT,
    turns,
    calls,
    interrupts,
    artifacts: [],
  };
}

/** The calls of one turn, in the given order. */
const callsOf = (...tools: [string, string?][]): ToolCall[] =>
  tools.map(([tool, argumentsRaw = '{}'], position) => aCall({ tool, position, argumentsRaw }));

function plan(state: RunState, context = contextOf()) {
  const planned = planCalls(state, context);
  return { ...planned, after: applyChanges(state, planned.decision.changes) };
}

const approval = (call: ToolCall, answer: Interrupt['answer']) =>
  anInterrupt({
    callId: call.id,
    kind: 'confirmation',
    payload: { kind: 'confirmation', arguments: JSON.parse(call.argumentsRaw), schema: {} },
    state: 'answered',
    answer,
    answeredAt: NOW - 1,
  });

describe('planning the calls of a turn', () => {
  it('gated and ungated ones in one decision: the gate opens, the ungated is started', () => {
    const { after, executions, settled } = plan(
      stateOf(callsOf(['gated', '{"n":1}'], ['free'], ['form', '{"n":5}'], ['job'])),
    );
    expect(after.calls.map(({ status }) => status)).toEqual(['pending', 'started', 'pending', 'started']);
    expect(executions.map(({ tool, interruptId }) => [tool.key, interruptId])).toEqual([
      ['free', null],
      ['job', 'int_0003'],
    ]);
    expect(after.interrupts).toMatchObject([
      { kind: 'confirmation', payload: { arguments: { n: 1 }, schema: NUMBERED } },
      {
        kind: 'component',
        payload: { component: 'Component of form', props: { fixed: 1, n: 5 } },
        expiresAt: NOW + 10_000,
      },
      { kind: 'callback', callbackTokenHash: 'hash of int_0003' },
    ]);
    expect(
      after.calls.filter(({ status }) => status === 'started').map(({ startedFence }) => startedFence),
    ).toEqual([FENCE, FENCE]);
    expect(settled).toBe(false);
  });

  it('parallel components open together, each for its own call, and no event is missing', () => {
    const calls = callsOf(['form'], ['form'], ['form']);
    const { after, decision, executions } = plan(stateOf(calls));
    expect(after.interrupts.map(({ callId }) => callId)).toEqual(calls.map(({ id }) => id));
    expect(decision.events.map(({ type }) => type)).toEqual([
      'interrupt.opened',
      'interrupt.opened',
      'interrupt.opened',
    ]);
    expect(executions).toEqual([]);
  });

  it('the callback address never stands in an event', () => {
    const { decision } = plan(stateOf(callsOf(['job'])));
    expect(JSON.stringify(decision.events)).not.toMatch(/url of|hash of/);
  });

  it('an approval leads to the execution in the same plan, with the arguments that were approved', () => {
    const [call] = callsOf(['gated', '{"n":1}']) as [ToolCall];
    const { after, executions } = plan(stateOf([call], [approval(call, { type: 'approve' })]));
    expect(executions).toMatchObject([{ arguments: { n: 1 } }]);
    expect(after.calls).toMatchObject([{ status: 'started', approvedAt: NOW, argumentsEdited: null }]);
    expect(after.interrupts).toMatchObject([{ consumedAt: NOW }]);
  });

  it('edited arguments are what is carried out, and readers see them', () => {
    const [call] = callsOf(['gated_job', '{"n":1}']) as [ToolCall];
    const { after, executions, decision } = plan(
      stateOf([call], [approval(call, { type: 'approve', arguments: { n: 2, '1': 'x' } })]),
    );
    expect(executions).toMatchObject([{ arguments: { n: 2, '1': 'x' }, interruptId: 'int_0001' }]);
    expect(after.calls).toMatchObject([{ argumentsEdited: '{"1":"x","n":2}', argumentsRaw: '{"n":1}' }]);
    expect(decision.events[0]).toMatchObject({ type: 'tool.started', callId: call.id, arguments: { n: 2 } });
  });

  it('an approval of a component opens it in the same plan, with the edited props', () => {
    const [call] = callsOf(['gated_form']) as [ToolCall];
    const { after, executions } = plan(
      stateOf([call], [approval(call, { type: 'approve', arguments: { n: 2 } })]),
    );
    expect(executions).toEqual([]);
    expect(after.interrupts).toMatchObject([
      { consumedAt: NOW },
      { kind: 'component', state: 'open', payload: { props: { n: 2 } } },
    ]);
  });

  it('a decline becomes the result of the call, and nothing runs', () => {
    const [call] = callsOf(['gated', '{"n":1}']) as [ToolCall];
    const { after, executions, settled } = plan(
      stateOf([call], [approval(call, { type: 'decline', reason: 'no' })]),
    );
    expect(executions).toEqual([]);
    expect(settled).toBe(true);
    expect(after.calls).toMatchObject([
      { status: 'declined', resultText: expect.stringContaining('"reason":"no"') },
    ]);
  });

  it('invalid arguments and unknown tools become results that say what to do; the other calls go on', () => {
    const { after, executions, settled } = plan(
      stateOf(callsOf(['gated', '{"n":"x"}'], ['made_up'], ['free', '{"broken'], ['free'])),
    );
    expect(after.calls.map(({ status, resultText }) => [status, resultText])).toEqual([
      ['failed', expect.stringContaining('n must be number')],
      ['failed', expect.stringContaining('made_up')],
      ['failed', expect.stringContaining('not a JSON object')],
      ['started', null],
    ]);
    expect(executions).toHaveLength(1);
    expect(settled).toBe(false);
  });

  it('a plan of what is planned already changes nothing', () => {
    const state = stateOf(callsOf(['gated', '{"n":1}'], ['free'], ['form'], ['job']));
    const again = plan(plan(state).after);
    expect(again.decision).toEqual({ changes: [], events: [] });
    expect(again.executions).toEqual([]);
    expect(again.settled).toBe(false);
  });

  it('only the calls of the last turn are looked at, in their order', () => {
    const old = aCall({ tool: 'free', turnIndex: 0, status: 'succeeded', resultText: '1' });
    const calls = callsOf(['free', '{"n":1}'], ['free', '{"n":2}']).map((call) => ({
      ...call,
      turnIndex: 1,
    }));
    const { executions } = plan(stateOf([old, ...calls.reverse()]));
    expect(executions.map(({ arguments: values }) => values)).toEqual([{ n: 1 }, { n: 2 }]);
  });

  it('receipts are written for what begins now: as many as allowed, an exclusive one alone', () => {
    const tools = [FREE, aServerTool('alone', { concurrency: 'exclusive' })];
    const state = stateOf(callsOf(['free', '{"n":1}'], ['alone'], ['free', '{"n":2}'], ['free', '{"n":3}']));
    const { after, executions, settled } = plan(state, { ...contextOf(tools), maxParallel: 2 });
    expect(executions.map(({ call }) => call.position)).toEqual([0, 2]);
    expect(after.calls.map(({ status }) => status)).toEqual(['started', 'pending', 'started', 'pending']);
    expect(settled).toBe(false);
    const alone = plan(stateOf(callsOf(['alone'], ['alone'], ['free'])), contextOf(tools));
    expect(alone.executions.map(({ call }) => call.position)).toEqual([0]);
  });

  it('a run without turns is settled: the model can be asked', () => {
    expect(plan(stateOf([]))).toMatchObject({ settled: true, executions: [] });
  });

  it('a call that died with its worker: repeated with its address if that does no harm, else unknown with its wait closed', () => {
    const lost = { status: 'started', startedFence: FENCE - 1, startedAt: 1 } as const;
    const call = aCall({ tool: 'job', ...lost });
    const wait = anInterrupt({ callId: call.id });
    const given = plan(stateOf([call], [wait]));
    expect(given.after.calls).toMatchObject([{ status: 'unknown', error: { code: 'outcome_unknown' } }]);
    expect(given.after.interrupts).toMatchObject([{ state: 'closed', closedWhy: 'cancelled' }]);
    expect(given.settled).toBe(true);

    const repeated = plan(stateOf([call], [wait]), contextOf([aRemoteTool('job', { idempotent: true })]));
    expect(repeated.executions).toMatchObject([{ interruptId: wait.id }]);
    expect(repeated.after.interrupts).toEqual([wait]);
    expect(repeated.after.calls).toMatchObject([{ status: 'started', startedFence: FENCE }]);
  });
});
