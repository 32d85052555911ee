import type { ArtifactId, RunError } from '@plinth/protocol';
import { artifactOf } from '../artifacts/artifact-view.js';
import type { IdSource } from '../id-source.js';
import { type Decision, joinDecisions } from '../runs/ledger-change.js';
import type { LockedRun } from '../runs/ledger.js';
import type { Execution } from '../runs/plan-calls.js';
import type { RunSession } from '../runs/run-session.js';
import type { CallbackTokens } from './callback-tokens.js';
import { failCall, succeedCall } from './settle-call.js';
import type { ToolExecutor, ToolOutcome } from './tool-executor.js';

export interface ExecutionPorts {
  executor: ToolExecutor;
  callbacks: CallbackTokens;
  ids: IdSource;
}

/** The job never began: its callback slot closes with the call. But a callback that came all the same wins. */
function refusedJob(locked: LockedRun, { call, interruptId }: Execution, error: RunError, now: number): Decision {
  const wait = locked.waits.find((candidate) => candidate.id === interruptId);
  if (wait?.answeredAt != null) return acceptedJob({ call }, now);
  const closed: Decision = {
    changes: wait ? [{ type: 'interrupt.update', interruptId: wait.id, set: { state: 'closed', closedWhy: 'cancelled' } }] : [],
    events: wait ? [{ type: 'interrupt.closed', interruptId: wait.id, why: 'cancelled' }] : [],
  };
  return joinDecisions([closed, failCall(call, 'failed', error, now)]);
}

function acceptedJob({ call }: Pick<Execution, 'call'>, now: number): Decision {
  return { changes: [{ type: 'call.update', callId: call.id, set: { acceptedAt: now } }], events: [] };
}

async function execute(session: RunSession, ports: ExecutionPorts, execution: Execution): Promise<ToolOutcome> {
  const { call, tool, interruptId } = execution;
  const { clock } = session.ports;
  const timeout = new AbortController();
  const done = new AbortController();
  const timedOut: RunError = { code: 'timed_out', message: `It did not end within ${tool.timeoutMs} ms. Whether it took effect is not known.` };
  clock.wait(tool.timeoutMs, done.signal).then(
    () => timeout.abort(new Error(timedOut.message)),
    () => {},
  );
  try {
    const callback = interruptId === null ? null : ports.callbacks.issue(session.tenant, interruptId);
    return await ports.executor.execute(
      session.tenant,
      {
        callId: call.id,
        runId: session.state.run.id,
        tool,
        arguments: execution.arguments,
        idempotencyKey: call.id,
        callback: callback === null ? null : { url: callback.url, progressUrl: callback.progressUrl },
      },
      AbortSignal.any([session.lease.signal, timeout.signal]),
    );
  } catch (error) {
    session.lease.signal.throwIfAborted();
    if (timeout.signal.aborted) return { kind: 'failed', error: timedOut };
    session.ports.observer.problem(session.tenant, { runId: session.state.run.id, doing: `execute ${tool.key}` }, error);
    return { kind: 'failed', error: { code: 'tool_crashed', message: 'The tool failed for a reason of its own.' } };
  } finally {
    done.abort();
  }
}

async function runOne(session: RunSession, ports: ExecutionPorts, execution: Execution): Promise<void> {
  const outcome = await execute(session, ports, execution);
  const { call, tool } = execution;
  const now = session.ports.clock.now();
  await session.commit((locked) => {
    switch (outcome.kind) {
      case 'accepted':
        return acceptedJob(execution, now);
      case 'failed':
        return refusedJob(locked, execution, outcome.error, now);
      case 'succeeded': {
        const of = { run: locked.run, call, open: tool.result.open, now };
        const artifacts = outcome.files.map((file) => artifactOf(file, { ...of, id: ports.ids.next('artifact') as ArtifactId }));
        return succeedCall(call, outcome.value, artifacts, now);
      }
    }
  });
}

/**
 * Carries out what a plan has written receipts for: parallel tools at most `maxParallel` at once, then exclusive
 * ones one by one. Each outcome is committed when it is there.
 *
 * @throws the reason of the lease's signal when the work has to stop
 */
export async function runExecutions(session: RunSession, ports: ExecutionPorts, executions: readonly Execution[], maxParallel: number): Promise<void> {
  const exclusive = executions.filter(({ tool }) => tool.concurrency === 'exclusive');
  const waiting = executions.filter(({ tool }) => tool.concurrency !== 'exclusive');
  const worker = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) await runOne(session, ports, next);
  };
  const workers = Array.from({ length: Math.min(maxParallel, waiting.length) }, worker);
  const failed = (await Promise.allSettled(workers)).find((result) => result.status === 'rejected');
  if (failed) throw failed.reason;
  for (const execution of exclusive) await runOne(session, ports, execution);
}
