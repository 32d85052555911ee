import type { CallId, EventBody } from '@plinth/protocol';
import { addUsage } from '@plinth/protocol';
import { compileRequest } from '../context/compile-request.js';
import { eventPayload, TurnStream } from '../events/turn-stream.js';
import type { IdSource } from '../id-source.js';
import { CancelRequested } from '../leases/lease.js';
import {
  ModelError,
  type ModelGateway,
  type ModelReply,
  type ModelRequest,
} from '../models/model-gateway.js';
import { replyProblem } from '../models/reply-problem.js';
import { failCall } from '../tools/settle-call.js';
import { toolStarted } from '../tools/tool-started.js';
import { type Decision, joinDecisions, NOTHING } from './ledger-change.js';
import type { ToolCall, Turn } from './run.js';
import type { RunSession } from './run-session.js';

export interface TurnPorts {
  gateway: ModelGateway;
  ids: IdSource;
}

/** Milliseconds before the second and the third try of a request that failed for a passing reason. */
const RETRY_DELAYS_MS = [1000, 2000];

function newCalls(reply: ModelReply, turnIndex: number, ids: IdSource): ToolCall[] {
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
    startedAt: null,
    startedFence: null,
    acceptedAt: null,
    finishedAt: null,
    resultText: null,
    summary: null,
    error: null,
    artifactIds: [],
    visibility: 'chat',
  }));
}

function recordTurn(
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
      ...calls.map((call) =>
        toolStarted(
          call,
          session.agent.tools.find((tool) => tool.key === call.tool),
        ),
      ),
    ],
  };
}

/** A turn whose calls are not carried out: it was offered no tools. */
function refused(turn: Decision, calls: readonly ToolCall[], now: number): Decision {
  const error = { code: 'not_offered', message: 'No tool was offered in the last turn of the run.' };
  return joinDecisions([turn, ...calls.map((call) => failCall(call, 'failed', error, now))]);
}

/** Asks the model, again after a passing failure; what was streamed of a failed try is withdrawn. */
async function ask(
  session: RunSession,
  gateway: ModelGateway,
  request: ModelRequest,
  stream: TurnStream,
  signal: AbortSignal,
): Promise<ModelReply> {
  const handler = {
    onText: (text: string) => stream.push('text', text),
    onReasoning: (text: string) => stream.push('reasoning', text),
  };
  for (let attempt = 0; ; attempt += 1) {
    try {
      const reply = await gateway.stream(session.tenant, request, handler, signal);
      const problem = replyProblem(reply);
      if (problem !== null) throw new ModelError('bad_response', true, problem);
      return reply;
    } catch (error) {
      const delayMs = RETRY_DELAYS_MS[attempt];
      if (!(error instanceof ModelError && error.retryable) || delayMs === undefined) throw error;
      await stream.close();
      const turn = session.state.turns.length;
      await session.commit({
        changes: [],
        events: [{ type: 'message.reset', turn, why: `model: ${error.kind}` }],
      });
      stream.reset();
      await session.ports.clock.wait(delayMs, signal);
    }
  }
}

/** Takes back what was streamed of a turn that will not be in the ledger. */
function withdrawn(stream: TurnStream, turn: number, why: string): Decision {
  return stream.isEmpty ? NOTHING : { changes: [], events: [{ type: 'message.reset', turn, why }] };
}

/** A cancelled answer stays as far as it was shown: the person has read it, and the next turn should know it. */
async function keepPartialAnswer(
  session: RunSession,
  stream: TurnStream,
  turn: Omit<Turn, 'assistantRaw' | 'reasoning'>,
): Promise<void> {
  await stream.close();
  const { text, reasoning } = stream;
  const partial = {
    ...turn,
    assistantRaw: JSON.stringify({ role: 'assistant', content: text }),
    reasoning: reasoning || null,
  };
  const before =
    text === ''
      ? withdrawn(stream, turn.index, 'cancelled')
      : recordTurn(session, partial, [], { text, reasoning });
  await session.end({ status: 'cancelled', reason: 'cancelled' }, before);
}

/**
 * One exchange with the model. Returns the turn with its tool calls, to be written before any of them starts; null
 * when it has ended the run, and is written.
 *
 * @param stop asks a worker that shuts down to let go; the turn is asked again by the next worker
 */
export async function runTurn(
  session: RunSession,
  ports: TurnPorts,
  stop: AbortSignal,
): Promise<Decision | null> {
  const { clock, writer, observer } = session.ports;
  const { tenant, agent, state, lease } = session;
  const { revision, values: config } = await session.freshConfig();
  const began = clock.now();
  const index = state.turns.length;
  const offerTools = index + 1 < config.budgets.maxTurns;
  const request = compileRequest(state, agent, config, offerTools);
  const started: EventBody = { type: 'turn.started', turn: index, of: config.budgets.maxTurns };
  await writer.delta(tenant, session.stream, state.run.fence, eventPayload(state.run, started, began));

  const stream = new TurnStream(writer, clock, tenant, state.run, index, () => lease.fenced());
  const noUsage = { inputTokens: 0, cachedInputTokens: 0, outputTokens: 0 };
  const turn = {
    index,
    requestDigest: request.digest,
    configRevision: revision,
    usage: noUsage,
    createdAt: began,
  };
  const asked = clock.now();
  let reply: ModelReply;
  try {
    reply = await ask(session, ports.gateway, request, stream, AbortSignal.any([lease.signal, stop]));
  } catch (error) {
    if (lease.signal.reason instanceof CancelRequested) {
      await keepPartialAnswer(session, stream, turn);
      return null;
    }
    lease.signal.throwIfAborted();
    stop.throwIfAborted();
    if (!(error instanceof ModelError)) throw error;
    await stream.close();
    const failure = { code: `model_${error.kind}`, message: error.message };
    await session.end(
      { status: 'failed', reason: 'model_error', error: failure },
      withdrawn(stream, index, failure.code),
    );
    return null;
  }
  const modelMs = clock.now() - asked;
  await stream.close();

  const calls = newCalls(reply, index, ports.ids);
  const complete: Turn = {
    ...turn,
    assistantRaw: reply.assistantRaw,
    reasoning: stream.reasoning || null,
    usage: reply.usage,
  };
  const decision = recordTurn(session, complete, calls, { text: reply.text, reasoning: stream.reasoning });
  observer.turnEnded(tenant, { modelMs, overheadMs: clock.now() - began - modelMs });
  if (calls.length > 0 && offerTools) return decision;
  if (calls.length === 0) await session.end({ status: 'completed', reason: 'final_answer' }, decision);
  else {
    const ending = { status: 'failed', reason: 'budget_iterations' } as const;
    await session.end(ending, refused(decision, calls, clock.now()));
  }
  return null;
}
