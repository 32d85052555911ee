import { addUsage, type CallId, type EventBody, type Usage } from '@plinth/protocol';
import type { IdSource } from '../id-source.js';
import type { ModelReply } from '../models/model-gateway.js';
import { toolOfCall } from '../tools/offered-tools.js';
import { failCall } from '../tools/settle-call.js';
import { toolStarted } from '../tools/tool-started.js';
import { type Admission, refusalOf } from './admit-call.js';
import { type Decision, joinDecisions, NOTHING } from './ledger-change.js';
import type { ToolCall, Turn } from './run.js';
import type { RunSession } from './run-session.js';

/** What an exchange with the model becomes in the ledger. */

export function newCalls(reply: ModelReply, turnIndex: number, ids: IdSource): ToolCall[] {
  return reply.toolCalls.map((asked, position) => ({
    id: ids.next('call') as CallId,
    turnIndex,
    position,
    providerCallId: asked.id,
    tool: asked.name,
    argumentsRaw: asked.arguments,
    argumentsEdited: null,
    status: 'pending',
    approvedAt: null,
    approval: null,
    permission: null,
    startedAt: null,
    startedFence: null,
    acceptedAt: null,
    finishedAt: null,
    resultText: null,
    summary: null,
    error: null,
    artifactIds: [],
    images: [],
    fromCache: false,
    enabledTools: null,
    visibility: 'chat',
  }));
}

export function recordTurn(
  session: RunSession,
  turn: Turn,
  calls: ToolCall[],
  streamed: { text: string; reasoning: string },
): Decision {
  const total = addUsage(session.state.run.usage, turn.usage);
  const done = (type: 'reasoning.done' | 'text.done', text: string): EventBody[] =>
    text === '' ? [] : [{ type, turn: turn.index, text }];
  return {
    changes: [
      { type: 'turn.append', turn },
      ...calls.map((call) => ({ type: 'call.create' as const, call })),
      { type: 'run.update', set: { usage: total } },
    ],
    events: [
      ...done('reasoning.done', streamed.reasoning),
      ...done('text.done', streamed.text),
      { type: 'usage', turn: turn.index, usage: turn.usage, total },
      ...calls.map((call) => toolStarted(call, toolOfCall(session.agent, session.state.calls, call))),
    ],
  };
}

/** The calls that are not carried out get their result at once. */
export function refuseCalls(calls: readonly ToolCall[], admission: Admission, now: number): Decision {
  const refused = calls.flatMap((call) => {
    const error = refusalOf(call, admission);
    return error === null ? [] : [failCall(call, 'failed', error, now)];
  });
  return joinDecisions(refused);
}

/** Tokens of a request that brought no turn: they are paid for all the same. */
export function recordSpent(session: RunSession, usage: Usage): Decision {
  if (usage.inputTokens === 0 && usage.outputTokens === 0) return NOTHING;
  const { run, turns } = session.state;
  const total = addUsage(run.usage, usage);
  return {
    changes: [{ type: 'run.update', set: { usage: total } }],
    events: [{ type: 'usage', turn: turns.length, usage, total }],
  };
}
