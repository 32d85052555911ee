import type { ToolInvocation, ToolOutcome } from '@plinth/engine';
import type { JsonValue, TenantId } from '@plinth/protocol';
import { failedCall } from '../remote-job.js';
import type { RemoteJobs } from '../remote-jobs.js';
import { valueAt } from './json-pointer.js';

/** Bytes of the answer to a dispatch that are read. */
export const MAX_ACCEPTANCE_BYTES = 64 * 1024;
const MAX_ID_LENGTH = 500;

/** A service has taken a job that is polled: notes its id, so that somebody looks after it from now on. */
export async function notePolledJob(
  jobs: Pick<RemoteJobs, 'note'>,
  tenant: TenantId,
  { tool, callId, runId, callback }: ToolInvocation,
  body: Uint8Array,
): Promise<ToolOutcome> {
  const { executor } = tool;
  if (executor.kind !== 'remote' || !executor.poll || !callback)
    throw new Error(`tool ${tool.key} is not polled`);
  const { url, jobIdPointer, intervalSeconds } = executor.poll;
  const jobId = idIn(Buffer.from(body).toString('utf8'), jobIdPointer);
  if (jobId === null)
    return failedCall(
      'bad_job_response',
      `The service took the job and did not say its id at "${jobIdPointer}", so its result cannot be fetched. It may have run.`,
    );
  const host = url.replaceAll('{jobId}', encodeURIComponent(jobId));
  const { interruptId } = callback;
  const job = { callId, runId, interruptId, kind: 'poll', host, jobId, state: 'waiting' } as const;
  await jobs.note(tenant, job, intervalSeconds * 1000);
  return { kind: 'accepted' };
}

function idIn(text: string, pointer: string): string | null {
  try {
    const id = valueAt(JSON.parse(text) as JsonValue, pointer);
    if (typeof id !== 'string' && typeof id !== 'number') return null;
    return String(id) === '' || String(id).length > MAX_ID_LENGTH ? null : String(id);
  } catch {
    return null;
  }
}
