import type { ArtifactId, InterruptId, JsonObject, TenantId, ToolDefinition } from '@plinth/protocol';
import type { AgentVersion } from '../agent-catalog.js';
import type { IdSource } from '../id-source.js';
import { applyAnswer } from '../interrupts/apply-answer.js';
import { openInterrupt } from '../interrupts/open-interrupt.js';
import type { RememberedApproval } from '../tools/approval.js';
import { rememberedFor } from '../tools/approvals.js';
import { effectiveArguments } from '../tools/call-arguments.js';
import { type CallStep, callStep, isSettled, isUnconsumed } from '../tools/call-step.js';
import type { CallbackTokens } from '../tools/callback-tokens.js';
import { toolOfCall } from '../tools/offered-tools.js';
import { type PermissionRules, permissionOf } from '../tools/permissions.js';
import { artifactReader } from '../tools/result-artifacts.js';
import { closeWait, failCall, withNotice } from '../tools/settle-call.js';
import { applyChanges, type Decision, joinDecisions, NOTHING } from './ledger-change.js';
import { repetitionNotice } from './repeated-calls.js';
import type { Interrupt, RunState, ToolCall } from './run.js';

/** A side effect that may be started once the plan's decision, with its receipt, is committed. */
export interface Execution {
  call: ToolCall;
  tool: ToolDefinition;
  arguments: JsonObject;
  /** The callback interrupt of a remote job. */
  interruptId: InterruptId | null;
}

export interface CallPlan {
  decision: Decision;
  executions: Execution[];
  /** Calls that have ended because their job did not call back in time. */
  abandoned: ToolCall[];
  /** All calls have their result: the model can be asked. */
  settled: boolean;
}

export interface PlanContext {
  tenant: TenantId;
  agent: AgentVersion;
  ids: IdSource;
  callbacks: CallbackTokens;
  now: number;
  /** Whether this server has what carries out such a tool. One of another release may lack it. */
  canRun: (tool: ToolDefinition) => boolean;
  /** In force now, whatever held when the run began. */
  permissions: PermissionRules;
  /** Approvals that hold for the whole thread, of now. */
  remembered: readonly RememberedApproval[];
  /** Most executions that one plan starts. A receipt says that its tool has begun, so none is written in advance. */
  maxParallel: number;
  /** Times that one call is carried out with the same arguments. */
  maxRepeatedCalls: number;
}

interface Move {
  decision: Decision;
  execution: Execution | null;
}

const only = (decision: Decision): Move => ({ decision, execution: null });

function start(
  state: RunState,
  call: ToolCall,
  tool: ToolDefinition,
  now: number,
  interruptId: InterruptId | null,
): Move {
  return {
    decision: {
      changes: [
        {
          type: 'call.update',
          callId: call.id,
          set: { status: 'started', startedAt: now, startedFence: state.run.fence },
        },
      ],
      events: [],
    },
    execution: { call, tool, arguments: effectiveArguments(call) ?? {}, interruptId },
  };
}

function dispatch(
  state: RunState,
  call: ToolCall,
  step: CallStep & { do: 'dispatch' },
  context: PlanContext,
): Move {
  if (step.interrupt) return start(state, call, step.tool, context.now, step.interrupt.id);
  const id = context.ids.next('interrupt') as InterruptId;
  const { tokenHash } = context.callbacks.issue(context.tenant, id);
  // The slot for the callback exists before the job can know its address: an early callback is kept.
  const opened = openInterrupt('callback', {
    id,
    call,
    tool: step.tool,
    now: context.now,
    callbackTokenHash: tokenHash,
  });
  const started = start(state, call, step.tool, context.now, id);
  return { ...started, decision: joinDecisions([started.decision, opened]) };
}

/** What a call still waits for, and what was answered and is not used yet. */
const waitsOf = (state: RunState, call: ToolCall): Interrupt[] =>
  state.interrupts.filter(
    (interrupt) => interrupt.callId === call.id && (interrupt.state === 'open' || isUnconsumed(interrupt)),
  );

function apply(
  state: RunState,
  call: ToolCall,
  interrupt: Interrupt,
  { agent, ids, now, maxRepeatedCalls }: PlanContext,
): Move {
  const tool = toolOfCall(agent, state.calls, call);
  const nextArtifactId = () => ids.next('artifact') as ArtifactId;
  const others = waitsOf(state, call).filter(({ id }) => id !== interrupt.id);
  const reader = artifactReader(agent);
  const answer = applyAnswer({ run: state.run, call, tool, interrupt, others, now, reader, nextArtifactId });
  return only(withNotice(answer, call, repetitionNotice(call, state.calls, maxRepeatedCalls)));
}

const OPENS = { confirm: 'confirmation', show: 'component', delegate: 'frontend', ask: 'question' } as const;

function moveOf(state: RunState, call: ToolCall, step: CallStep, context: PlanContext): Move | null {
  const { now, ids } = context;
  switch (step.do) {
    case 'nothing':
    case 'wait':
      return null;
    case 'apply':
      return apply(state, call, step.interrupt, context);
    case 'reject': {
      const closed = waitsOf(state, call).map((wait) => closeWait(wait, 'settled'));
      const error = { code: step.code, message: step.message };
      return only(joinDecisions([...closed, failCall(call, 'failed', error, now)]));
    }
    case 'give_up': {
      const error = { code: 'outcome_unknown', message: 'The worker died while the tool was running.' };
      const closed = step.interrupt ? closeWait(step.interrupt, 'cancelled') : NOTHING;
      return only(joinDecisions([closed, failCall(call, 'unknown', error, now)]));
    }
    case 'confirm':
    case 'show':
    case 'delegate':
    case 'ask': {
      const id = ids.next('interrupt') as InterruptId;
      return only(openInterrupt(OPENS[step.do], { id, call, tool: step.tool, now }));
    }
    case 'dispatch':
      return dispatch(state, call, step, context);
    case 'execute':
      return start(state, call, step.tool, now, null);
  }
}

/** The step's move, with what the stages want on the receipt. */
function noted(move: Move, call: ToolCall, step: CallStep): Move {
  const set = 'note' in step ? step.note : undefined;
  if (set === undefined || Object.keys(set).length === 0) return move;
  const note: Decision = { changes: [{ type: 'call.update', callId: call.id, set }], events: [] };
  return { ...move, decision: joinDecisions([note, move.decision]) };
}

/** Whether one more may be started beside those of the plan. An exclusive tool runs alone. */
function hasRoom(executions: readonly Execution[], { tool }: Execution, maxParallel: number): boolean {
  if (executions.length === 0) return true;
  const isExclusive = [tool, ...executions.map((other) => other.tool)].some(
    ({ concurrency }) => concurrency === 'exclusive',
  );
  return !isExclusive && executions.length < maxParallel;
}

function abandonedJobs(before: RunState, after: RunState): ToolCall[] {
  const open = new Set(before.calls.filter((call) => !isSettled(call)).map(({ id }) => id));
  const jobs = new Set(
    after.interrupts.filter(({ kind }) => kind === 'callback').map(({ callId }) => callId),
  );
  return after.calls.filter(({ id, status }) => status === 'expired' && open.has(id) && jobs.has(id));
}

/** The calls that may still need a step: those of the last turn. Earlier turns are settled by the closure invariant. */
function currentCalls(state: RunState): ToolCall[] {
  const last = state.turns.length - 1;
  return state.calls.filter((call) => call.turnIndex === last).sort((a, b) => a.position - b.position);
}

/**
 * Plans all that can be decided about the run's tool calls without leaving the ledger, in one decision: answers
 * are applied, gates and forms opened, receipts of what is to be executed written. Pure but for the ids it makes.
 *
 * Afterwards: `executions` are to be carried out; else, when not `settled`, only waits remain and the run parks.
 */
export function planCalls(state: RunState, context: PlanContext): CallPlan {
  const { agent, permissions, remembered } = context;
  const caller = { agent: agent.definition.key, endUser: state.run.endUserId };
  let planned = state;
  const decisions: Decision[] = [];
  const executions: Execution[] = [];
  for (let moved = true; moved; ) {
    moved = false;
    for (const call of currentCalls(planned)) {
      const tool = toolOfCall(agent, planned.calls, call);
      const interrupts = planned.interrupts.filter((interrupt) => interrupt.callId === call.id);
      const canRun = tool === undefined || context.canRun(tool);
      const facts = {
        permission: permissionOf(call.tool, caller, permissions),
        rememberedAt: tool === undefined ? null : rememberedFor(tool, planned, remembered),
      };
      const step = callStep(call, tool, interrupts, state.run.fence, canRun, facts);
      const stepped = moveOf(planned, call, step, context);
      if (stepped === null) continue;
      const move = noted(stepped, call, step);
      // Those that find no room stay as they are, and are started by the plan after this one.
      if (move.execution && !hasRoom(executions, move.execution, context.maxParallel)) continue;
      moved = true;
      decisions.push(move.decision);
      if (move.execution) executions.push(move.execution);
      planned = applyChanges(planned, move.decision.changes);
    }
  }
  return {
    decision: decisions.length === 0 ? NOTHING : joinDecisions(decisions),
    executions,
    abandoned: abandonedJobs(state, planned),
    settled: currentCalls(planned).every(isSettled),
  };
}
