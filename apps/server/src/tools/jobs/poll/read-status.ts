import {
  type CallbackResult,
  callbackResult,
  type JsonObject,
  type JsonValue,
  type RemotePoll,
} from '@plinth/protocol';
import { failedJob, type JobOutcome } from '../remote-job.js';
import { valueAt } from './json-pointer.js';

export type PolledStatus =
  | { kind: 'running'; progress: number | null }
  | { kind: 'succeeded'; result: JsonValue; files: Extract<CallbackResult, { status: 'succeeded' }>['files'] }
  | { kind: 'failed'; outcome: Extract<JobOutcome, { ok: false }> }
  /** Not what the tool's definition describes. */
  | { kind: 'unreadable'; why: string };

const MAX_CODE_LENGTH = 100;
const MAX_MESSAGE_LENGTH = 2000;

/** What a service says of a job, read as its tool describes. Pure. */
export function readStatus(poll: RemotePoll, answer: JsonValue): PolledStatus {
  const status = valueAt(answer, poll.statusPointer);
  if (typeof status !== 'string' && typeof status !== 'boolean')
    return { kind: 'unreadable', why: `there is no status at "${poll.statusPointer}"` };
  if (poll.failed.includes(String(status)))
    return { kind: 'failed', outcome: failureOf(valueAt(answer, poll.errorPointer)) };
  if (!poll.done.includes(String(status))) {
    const progress = valueAt(answer, poll.progressPointer);
    return {
      kind: 'running',
      progress: typeof progress === 'number' ? Math.min(1, Math.max(0, progress)) : null,
    };
  }
  const read = callbackResult.safeParse({
    status: 'succeeded',
    result: valueAt(answer, poll.resultPointer) ?? null,
    files: valueAt(answer, poll.filesPointer) ?? [],
  });
  if (!read.success || read.data.status !== 'succeeded')
    return { kind: 'unreadable', why: `there are no files of the right form at "${poll.filesPointer}"` };
  return { kind: 'succeeded', result: read.data.result, files: read.data.files };
}

function failureOf(error: JsonValue | undefined): Extract<JobOutcome, { ok: false }> {
  const { code, message }: JsonObject =
    typeof error === 'object' && error !== null && !Array.isArray(error)
      ? error
      : { code: null, message: error ?? null };
  return failedJob(
    (typeof code === 'string' && code !== '' ? code : 'job_failed').slice(0, MAX_CODE_LENGTH),
    (typeof message === 'string' && message !== ''
      ? message
      : 'The job failed; its service did not say why.'
    ).slice(0, MAX_MESSAGE_LENGTH),
  );
}
