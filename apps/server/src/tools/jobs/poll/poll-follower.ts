import type { ArtifactStore } from '@plinth/engine';
import { type JsonValue, PlinthError, type RemotePoll } from '@plinth/protocol';
import type { OutboundClient } from '../../../platform/outbound/outbound-client.js';
import { storeCallbackFiles } from '../../callback-files.js';
import {
  failedJob,
  type JobFollower,
  type JobNews,
  type JobOutcome,
  type JobWatch,
  type RemoteJob,
} from '../remote-job.js';
import { type PolledStatus, readStatus } from './read-status.js';

/** Milliseconds for one look. */
const LOOK_MS = 15_000;
/** Files come as base64 inside the answer, as in a callback. */
const MAX_BODY_BYTES = 48 * 1024 * 1024;
const MOST_REDIRECTS = 3;
const GROWTH = 1.5;

/** Asks a service how its job is, one look at a time. Whoever is quicker, this or the callback, answers the call. */
export class PollFollower implements JobFollower {
  constructor(
    private readonly store: ArtifactStore,
    private readonly outbound: Pick<OutboundClient, 'send'>,
  ) {}

  async follow(job: RemoteJob, watch: JobWatch): Promise<JobNews> {
    const { executor } = watch.tool;
    if (executor.kind !== 'remote' || !executor.poll) throw new Error(`tool ${watch.tool.key} is not polled`);
    const { poll } = executor;
    if (!(await watch.isWanted())) return { kind: 'dropped' };
    const status = await this.#look(poll, job, watch.signal);
    if (status.kind === 'failed') return { kind: 'ended', outcome: status.outcome };
    if (status.kind === 'succeeded') return { kind: 'ended', outcome: await this.#succeeded(job, status) };
    if (status.kind === 'running') {
      watch.seen();
      if (status.progress !== null) watch.progress({ progress: status.progress });
    } else if (watch.silentMs() >= poll.silenceSeconds * 1000) {
      return { kind: 'ended', outcome: givenUp(poll, status.why) };
    }
    return { kind: 'later', delayMs: delayMs(poll, job.looks) };
  }

  async #look(
    poll: RemotePoll,
    { tenant, host: url }: RemoteJob,
    signal: AbortSignal,
  ): Promise<PolledStatus> {
    const headers = { accept: 'application/json' };
    const plan = () => ({ maxBytes: MAX_BODY_BYTES, longer: 'refuse' as const });
    const request = { url, method: 'GET', headers, timeoutMs: LOOK_MS, maxRedirects: MOST_REDIRECTS, plan };
    const answer = await this.outbound.send(tenant, request, signal);
    if (!answer.ok) return { kind: 'unreadable', why: `it ${answer.failure.message}` };
    const { status, body } = answer.response;
    if (status < 200 || status > 299) return { kind: 'unreadable', why: `it answers ${status}` };
    try {
      return readStatus(poll, JSON.parse(Buffer.from(body).toString('utf8')) as JsonValue);
    } catch {
      return { kind: 'unreadable', why: 'it answers with no JSON' };
    }
  }

  async #succeeded(
    { tenant }: RemoteJob,
    { result, files }: Extract<PolledStatus, { kind: 'succeeded' }>,
  ): Promise<JobOutcome> {
    try {
      return { ok: true, result, files: await storeCallbackFiles(this.store, tenant, files) };
    } catch (error) {
      if (!PlinthError.isInstance(error)) throw error;
      return failedJob(
        'bad_job_response',
        `The job has succeeded, and its files cannot be taken. ${error.message}`,
      );
    }
  }
}

function givenUp({ silenceSeconds }: RemotePoll, why: string): JobOutcome {
  return failedJob(
    'job_lost',
    `The service has the job and has given no usable answer about it for ${silenceSeconds} seconds (${why}). Whether it ran is not known.`,
  );
}

/** @param looks that were made, this one included */
export function delayMs({ intervalSeconds, maxIntervalSeconds }: RemotePoll, looks: number): number {
  return Math.min(intervalSeconds * GROWTH ** looks, maxIntervalSeconds) * 1000;
}
