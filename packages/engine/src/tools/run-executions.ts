import type { ArtifactId, InterruptId, JsonValue, RunError } from '@plinth/protocol';
import type { ArtifactStore } from '../artifacts/artifact-store.js';
import type { Clock } from '../clock.js';
import type { IdSource } from '../id-source.js';
import { openInterrupt } from '../interrupts/open-interrupt.js';
import type { LockedRun } from '../runs/ledger.js';
import { type Decision, joinDecisions } from '../runs/ledger-change.js';
import type { Execution } from '../runs/plan-calls.js';
import { repetitionNotice } from '../runs/repeated-calls.js';
import type { KeptResult, ToolCall } from '../runs/run.js';
import type { RunSession } from '../runs/run-session.js';
import { CallProgress } from './call-progress.js';
import type { CallbackTokens } from './callback-tokens.js';
import { carryOut } from './carry-out.js';
import type { ExecutionStores } from './execution-stages/execution-stage.js';
import { finishResult } from './finish-result.js';
import { offeredTools } from './offered-tools.js';
import { artifactReader, notesOf, productsOf, shownOf } from './result-artifacts.js';
import { closeWait, failCall, succeedCall, withNotice } from './settle-call.js';
import { type ToolExecutor, type ToolOutcome, ToolTimedOut } from './tool-executor.js';

export interface ExecutionPorts extends ExecutionStores {
  executor: ToolExecutor;
  callbacks: CallbackTokens;
  ids: IdSource;
  artifacts: ArtifactStore;
}

/** The call ends here, and its callback slot closes with it. But a callback that came all the same wins. */
function endCall(locked: LockedRun, { call, interruptId }: Execution, end: Decision, now: number): Decision {
  const wait = locked.waits.find((candidate) => candidate.id === interruptId);
  if (wait?.answeredAt != null) return acceptedJob({ call }, now);
  return joinDecisions([...(wait ? [closeWait(wait, 'cancelled')] : []), end]);
}

function acceptedJob({ call }: Pick<Execution, 'call'>, now: number): Decision {
  return { changes: [{ type: 'call.update', callId: call.id, set: { acceptedAt: now } }], events: [] };
}

/**
 * Nobody knows whether it took effect. A job's slot stays open while a person is asked, as after a crash: its callback is
 * the better answer.
 */
function leaveInDoubt(
  locked: LockedRun,
  execution: Execution,
  error: RunError,
  nextId: () => InterruptId,
  now: number,
): Decision {
  const { call, tool, interruptId } = execution;
  if (tool.idempotent) return endCall(locked, execution, failCall(call, 'failed', error, now), now);
  if (tool.onUnknown === 'tell_model')
    return endCall(locked, execution, failCall(call, 'unknown', error, now), now);
  const slot = locked.waits.find(({ id }) => id === interruptId);
  if (slot?.answeredAt != null) return acceptedJob(execution, now);
  return openInterrupt('question', { id: nextId(), call, tool, now });
}

/** The result is that of an earlier call, and the receipt says so. */
function fromCache(call: ToolCall, succeeded: Decision): Decision {
  const set = { fromCache: true };
  return joinDecisions([succeeded, { changes: [{ type: 'call.update', callId: call.id, set }], events: [] }]);
}

/** Milliseconds that an aborted tool has to come to its end: what it did by then is known, and stays. */
const ABORT_GRACE_MS = 500;

/** Rejects when an aborted tool has had its time: one that does not listen to its signal must not hold the run up. */
async function whenAbandoned(signal: AbortSignal, clock: Clock, done: AbortSignal): Promise<never> {
  await new Promise<void>((resolve) => {
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
  await clock.wait(ABORT_GRACE_MS, done);
  throw signal.reason;
}

async function execute(
  session: RunSession,
  ports: ExecutionPorts,
  execution: Execution,
): Promise<ToolOutcome> {
  const { call, tool, interruptId } = execution;
  const { clock } = session.ports;
  const timeout = new AbortController();
  const done = new AbortController();
  const progress = new CallProgress(session, call);
  const timedOut: RunError = {
    code: 'timed_out',
    message: `It did not end within ${tool.timeoutMs} ms. Whether it took effect is not known.`,
  };
  clock.wait(tool.timeoutMs, done.signal).then(
    () => timeout.abort(new ToolTimedOut(timedOut.message)),
    () => {},
  );
  try {
    const slot = interruptId === null ? null : ports.callbacks.issue(session.tenant, interruptId);
    const signal = AbortSignal.any([session.lease.signal, timeout.signal]);
    signal.throwIfAborted();
    session.begun.add(call.id);
    const outcome = ports.executor.execute(
      session.tenant,
      {
        callId: call.id,
        runId: session.state.run.id,
        tool,
        arguments: execution.arguments,
        idempotencyKey: call.id,
        callback: slot && interruptId ? { interruptId, url: slot.url, progressUrl: slot.progressUrl } : null,
        offered: offeredTools(session.agent, session.state.calls, session.state.turns.length),
        progress: (report) => progress.report(report),
      },
      signal,
    );
    return await Promise.race([outcome, whenAbandoned(signal, clock, done.signal)]);
  } catch (error) {
    session.lease.signal.throwIfAborted();
    if (timeout.signal.aborted) return { kind: 'unknown', error: timedOut };
    session.ports.observer.problem(
      session.tenant,
      { runId: session.state.run.id, doing: `execute ${tool.key}` },
      error,
    );
    return {
      kind: 'unknown',
      error: { code: 'tool_crashed', message: 'The tool failed for a reason of its own.' },
    };
  } finally {
    done.abort();
    progress.end();
  }
}

/** What is known of a call that was carried out. `result` is what the model reads of the value. */
type FinishedOutcome =
  | Exclude<ToolOutcome, { kind: 'succeeded' }>
  | (Omit<Extract<ToolOutcome, { kind: 'succeeded' }>, 'value'> & { result: JsonValue; kept: KeptResult });

async function finish(
  session: RunSession,
  { artifacts }: ExecutionPorts,
  { tool }: Execution,
  outcome: ToolOutcome,
): Promise<FinishedOutcome> {
  if (outcome.kind !== 'succeeded') return outcome;
  const { value, ...rest } = outcome;
  // The tool has run: that its full result cannot be stored now must not cost what it returned.
  const finished = await finishResult(artifacts, session.tenant, tool, value).catch((error: unknown) => {
    const doing = `store the full result of ${tool.key}`;
    session.ports.observer.problem(session.tenant, { runId: session.state.run.id, doing }, error);
    return finishResult(null, session.tenant, tool, value);
  });
  return finished.ok
    ? { ...rest, result: finished.result, kept: finished.kept }
    : { kind: 'failed', error: finished.error };
}

async function runOne(session: RunSession, ports: ExecutionPorts, execution: Execution): Promise<void> {
  const carriedOut = await carryOut(session, ports, execution, () => execute(session, ports, execution));
  const outcome = await finish(session, ports, execution, carriedOut);
  const { call, tool } = execution;
  const now = session.ports.clock.now();
  const notice = repetitionNotice(call, session.state.calls, session.config.budgets.maxRepeatedCalls);
  const settle = (locked: LockedRun): Decision => {
    switch (outcome.kind) {
      case 'accepted':
        return acceptedJob(execution, now);
      case 'failed':
        return endCall(locked, execution, failCall(call, 'failed', outcome.error, now), now);
      case 'unknown': {
        const nextId = () => ports.ids.next('interrupt') as InterruptId;
        return leaveInDoubt(locked, execution, outcome.error, nextId, now);
      }
      case 'succeeded': {
        const nextArtifactId = () => ports.ids.next('artifact') as ArtifactId;
        const of = { run: locked.run, call, tool, now, nextArtifactId };
        const products = productsOf(outcome.files, of);
        const shown = [...(outcome.shows ?? []), ...shownOf(products, tool)];
        const notes = notesOf(outcome.kept, artifactReader(session.agent), of, shown);
        const succeeded = succeedCall(call, outcome.result, products, now, outcome.enables ?? null, notes);
        return endCall(locked, execution, outcome.fromCache ? fromCache(call, succeeded) : succeeded, now);
      }
    }
  };
  await session.commit((locked) => withNotice(settle(locked), call, notice));
}

/**
 * Carries out what a plan has written receipts for, all at once. Each outcome is committed when it is there.
 *
 * @throws the reason of the lease's signal when the work has to stop
 */
export async function runExecutions(
  session: RunSession,
  ports: ExecutionPorts,
  executions: readonly Execution[],
): Promise<void> {
  const outcomes = await Promise.allSettled(executions.map((execution) => runOne(session, ports, execution)));
  const failed = outcomes.find((outcome) => outcome.status === 'rejected');
  if (failed) throw failed.reason;
}
