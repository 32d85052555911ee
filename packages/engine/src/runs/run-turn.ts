import type { EventBody } from '@plinth/protocol';
import { eventPayload, TurnStream } from '../events/turn-stream.js';
import type { IdSource } from '../id-source.js';
import { CancelRequested } from '../leases/lease.js';
import { ModelError } from '../models/model-gateway.js';
import { priceUsage } from '../models/price-usage.js';
import { offeredTools } from '../tools/offered-tools.js';
import { lastTurnReason } from './budgets.js';
import { type Answered, Exchange } from './exchange.js';
import { type Decision, joinDecisions, NOTHING } from './ledger-change.js';
import { type PreparationPorts, RequestPreparation } from './prepare-request.js';
import { newCalls, recordSpent, recordTurn, refuseCalls } from './record-turn.js';
import type { Turn } from './run.js';
import type { RunSession } from './run-session.js';

export interface TurnPorts extends PreparationPorts {
  ids: IdSource;
}

/** How often a log may lose its entries while one event is written to it, before the event is let go. */
const MOST_EPOCHS = 3;

/** An event that is in no transaction, and is written again when its log had lost entries. */
async function announce({ ports, tenant, stream, state, lease }: RunSession, payload: string): Promise<void> {
  for (let epoch = 0; epoch < MOST_EPOCHS; epoch += 1) {
    const outcome = await ports.writer.delta(tenant, stream, state.run.fence, payload);
    if (outcome === 'fenced') lease.fenced();
    if (outcome !== 'epoch_raised') return;
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
      ? joinDecisions([withdrawn(stream, turn.index, 'cancelled'), recordSpent(session, turn.usage)])
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
  const lastTurn = lastTurnReason(state, index, config.budgets);
  const started: EventBody = { type: 'turn.started', turn: index, of: config.budgets.maxTurns };
  await announce(session, eventPayload(state.run, started, began));

  const stream = new TurnStream(writer, clock, tenant, state.run, index, () => lease.fenced());
  const price = (usage: Turn['usage']) => priceUsage(usage, config.model.price);
  const preparation = new RequestPreparation(session, ports, config, lastTurn, price);
  const exchange = new Exchange(session, ports.gateway, preparation, stream, price);
  const turn = { index, configRevision: revision, createdAt: began };
  let answered: Answered;
  try {
    const outcome = await exchange.run(AbortSignal.any([lease.signal, stop]));
    if (outcome.kind === 'unfit') {
      observer.contextUnfit(tenant, { endpoint: preparation.endpoint, code: outcome.error.code });
      await stream.close();
      await session.end(
        { status: 'failed', reason: 'context_unfit', error: outcome.error },
        joinDecisions([withdrawn(stream, index, outcome.error.code), recordSpent(session, exchange.spent)]),
      );
      return null;
    }
    answered = outcome;
  } catch (error) {
    if (lease.signal.reason instanceof CancelRequested) {
      const { digest: requestDigest, context } = exchange.asked;
      await keepPartialAnswer(session, stream, { ...turn, requestDigest, context, usage: exchange.spent });
      return null;
    }
    lease.signal.throwIfAborted();
    stop.throwIfAborted();
    if (!(error instanceof ModelError)) throw error;
    await stream.close();
    const failure = { code: `model_${error.kind}`, message: error.message };
    await session.end(
      { status: 'failed', reason: 'model_error', error: failure },
      joinDecisions([withdrawn(stream, index, failure.code), recordSpent(session, exchange.spent)]),
    );
    return null;
  }
  const { reply, prepared } = answered;
  await stream.close();

  const calls = newCalls(reply, index, ports.ids);
  const complete: Turn = {
    ...turn,
    requestDigest: prepared.request.digest,
    context: prepared.context,
    assistantRaw: reply.assistantRaw,
    reasoning: stream.reasoning || null,
    usage: reply.usage,
  };
  const recorded = recordTurn(session, complete, calls, { text: reply.text, reasoning: stream.reasoning });
  const { budgets } = config;
  const admission = {
    calls: [...state.calls, ...calls],
    tools: offeredTools(agent, state.calls, index),
    budgets,
    isLastTurn: lastTurn !== null,
  };
  const refused = refuseCalls(calls, admission, clock.now());
  const { modelMs } = exchange;
  observer.turnEnded(tenant, { modelMs, overheadMs: clock.now() - began - modelMs });
  const decision = joinDecisions([recorded, refused]);
  if (calls.length === 0) await session.end({ status: 'completed', reason: 'final_answer' }, decision);
  else if (lastTurn !== null && refused.changes.length === calls.length)
    await session.end({ status: 'failed', reason: lastTurn }, decision);
  else return decision;
  return null;
}
