import type { JobCancellation, ToolExecutor, ToolInvocation, ToolOutcome } from '@plinth/engine';
import type { TenantId } from '@plinth/protocol';
import type { OutboundClient, OutboundHead, OutboundResult } from '../platform/outbound/outbound-client.js';
import type { OutboundFailure, OutboundFailureCode } from '../platform/outbound/outbound-failure.js';
import type { BodyPlan } from '../platform/outbound/read-body.js';
import { cancelRemoteJob } from './cancel-remote-job.js';
import { MAX_ACCEPTANCE_BYTES, notePolledJob } from './jobs/poll/note-polled-job.js';
import type { RemoteJobs } from './jobs/remote-jobs.js';
import { MAX_REFUSAL_BYTES, readRefusal } from './read-refusal.js';

/** `taken`: whether the service may have taken the job all the same. */
type Attempt =
  | { done: true; outcome: ToolOutcome }
  | { done: false; code: string; what: string; taken: boolean };

/**
 * Starts jobs of `remote` tools: one POST with the arguments and the one-time callback URL.
 *
 * 2xx: the service has the job. 4xx: it refuses, in its own words. No connection: it has not got the job. Anything else
 * (5xx, a connection that broke, no answer in time) leaves it unknown whether the job was taken. Of an idempotent tool that
 * does not matter: it is `unavailable`, and the engine may offer the job again.
 */
export class RemoteExecutor implements ToolExecutor {
  constructor(
    private readonly outbound: Pick<OutboundClient, 'send'>,
    private readonly jobs: Pick<RemoteJobs, 'note'>,
  ) {}

  async execute(tenant: TenantId, invocation: ToolInvocation, signal: AbortSignal): Promise<ToolOutcome> {
    const { tool } = invocation;
    if (tool.executor.kind !== 'remote') throw new Error(`tool ${tool.key} is not a remote tool`);
    const { url, poll } = tool.executor;
    const request = {
      url,
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json',
        'idempotency-key': invocation.idempotencyKey,
      },
      body: jobOf(invocation),
      timeoutMs: tool.timeoutMs,
      maxRedirects: 0,
      plan: poll ? planOfPolled : planOf,
    };
    const answer = await this.outbound.send(tenant, request, signal);
    const result = attemptOf(answer);
    if (!result.done) return withoutAnswer(result, tool.idempotent);
    if (result.outcome.kind === 'accepted' && poll && answer.ok)
      return notePolledJob(this.jobs, tenant, invocation, answer.response.body);
    return result.outcome;
  }

  async cancel(tenant: TenantId, cancellation: JobCancellation): Promise<void> {
    const { executor } = cancellation.tool;
    if (executor.kind !== 'remote' || executor.cancelUrl === undefined) return;
    await cancelRemoteJob(this.outbound, tenant, executor.cancelUrl, cancellation);
  }
}

/** Only what a refusal says is wanted. An acceptance may have a body of any length: it is not waited for. */
function planOf({ status }: OutboundHead): BodyPlan {
  return { maxBytes: isRefusal(status) ? MAX_REFUSAL_BYTES : 0, longer: 'cut' };
}

/** An acceptance says how the job is called. */
function planOfPolled(head: OutboundHead): BodyPlan {
  return isRefusal(head.status) ? planOf(head) : { maxBytes: MAX_ACCEPTANCE_BYTES, longer: 'cut' };
}

const isRefusal = (status: number) => status >= 400 && status < 500;

function jobOf({ callId, runId, idempotencyKey, arguments: values, callback, tool }: ToolInvocation): string {
  if (callback === null) throw new Error(`remote tool ${tool.key} was invoked without a callback URL`);
  return JSON.stringify({
    callId,
    runId,
    idempotencyKey,
    arguments: values,
    callbackUrl: callback.url,
    progressUrl: callback.progressUrl,
  });
}

function attemptOf(result: OutboundResult): Attempt {
  if (!result.ok) return withoutResponse(result.failure);
  const { status, body } = result.response;
  if (isRefusal(status)) return { done: true, outcome: { kind: 'failed', error: readRefusal(status, body) } };
  if (status >= 200 && status < 300) return { done: true, outcome: { kind: 'accepted' } };
  return { done: false, code: `http_${status}`, what: `answered ${status}`, taken: true };
}

const CODES: Partial<Record<OutboundFailureCode, string>> = {
  unreachable: 'unavailable',
  broken_response: 'connection_lost',
};

function withoutResponse({ code, message, mayHaveArrived }: OutboundFailure): Attempt {
  if (code !== 'blocked_address' && code !== 'invalid_request')
    return { done: false, code: CODES[code] ?? code, what: message, taken: mayHaveArrived };
  const setUp = 'Do not retry; tell the user that the tool has to be set up.';
  const error = { code, message: `The service of this tool ${message}. ${setUp}` };
  return { done: true, outcome: { kind: 'failed', error } };
}

/** What another attempt may mend. */
const MAY_PASS = /^(unavailable|connection_lost|http_5\d\d)$/;

function withoutAnswer({ code, what, taken }: Attempt & { done: false }, idempotent: boolean): ToolOutcome {
  const message = `The service of this tool ${what}`;
  if (idempotent)
    return {
      kind: 'failed',
      error: { code: MAY_PASS.test(code) ? 'unavailable' : code, message: `${message}.` },
    };
  return taken
    ? { kind: 'unknown', error: { code, message: `${message}. The job may have been taken.` } }
    : { kind: 'failed', error: { code, message: `${message}. The job was not taken. Do not retry now.` } };
}
