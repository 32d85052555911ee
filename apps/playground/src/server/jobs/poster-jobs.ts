/*
 * The business's own drawing service. Plinth's `remote` executor posts a job here and is answered at once; the
 * poster follows seconds later as a callback. Jobs live in this process only: when it dies, the jobs that it took
 * are never answered, and the platform's wait for them expires.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { finishJob, type JobCallbackOptions, PlinthClientError, reportProgress } from '@plinth/client/server';
import type { CallbackProgress } from '@plinth/protocol';
import type { FastifyInstance } from 'fastify';
import { sendProblem } from '../backend-problem.js';
import { drawPosterJob } from './draw-poster-job.js';
import { type Job, JobBook } from './job-book.js';
import { describeIssues, type JobRequest, jobCancellation, jobRequest, jobSettings } from './job-request.js';
import type { PosterValues } from './poster-values.js';
import { renderPoster } from './render-poster.js';

export type PosterJobsOptions = {
  /** Milliseconds that a drawing takes; `PUT /jobs/settings` changes it for the jobs that come after. */
  delayMs: number;
  fetch?: NonNullable<JobCallbackOptions['fetch']>;
  wait?: (durationMs: number) => Promise<void>;
  render?: (values: PosterValues) => Promise<Buffer>;
};

/** Fastify plugin: `POST /jobs/poster`, `POST /jobs/poster/cancel`, and the adjustable delay at `/jobs/settings`. */
export function posterJobs(app: FastifyInstance, options: PosterJobsOptions, done: () => void): void {
  const stopping = new AbortController();
  const closing = stopping.signal;
  const wait = options.wait ?? waiting(closing);
  const callback: JobCallbackOptions = {
    signal: closing,
    wait,
    ...(options.fetch && { fetch: options.fetch }),
  };
  const render = options.render ?? renderPoster;
  const book = new JobBook();
  /** Drawings that are under way, by idempotency key. */
  const drawing = new Map<string, AbortController>();
  let { delayMs } = options;

  const run = async (
    job: Job,
    { arguments: values, progressUrl, callbackUrl, idempotencyKey }: JobRequest,
  ): Promise<void> => {
    const cancel = new AbortController();
    drawing.set(idempotencyKey, cancel);
    // One word that is lost does not stop a drawing.
    const report = async (progress: CallbackProgress) =>
      progressUrl ? reportProgress(progressUrl, progress, callback).catch(ifOurs) : undefined;
    const work = { values, delayMs, render, wait, report, cancelled: cancel.signal };
    const result = await drawPosterJob(work).finally(() => drawing.delete(idempotencyKey));
    if (closing.aborted || result === null || cancel.signal.aborted) return;
    const failure = await finishJob(callbackUrl, result, callback).catch(ifOurs);
    app.log[failure ? 'warn' : 'info']({ jobId: job.id, code: failure?.code }, 'poster callback');
  };

  app.post('/jobs/poster', async (request, reply) => {
    const parsed = jobRequest.safeParse(request.body);
    if (!parsed.success)
      return sendProblem(request, reply, 400, 'invalid_request', describeIssues(parsed.error));
    const { job, isNew } = book.accept(parsed.data.idempotencyKey, new Date());
    if (isNew)
      run(job, parsed.data).catch((error: unknown) => app.log.error({ jobId: job.id, error }, 'poster job'));
    return reply.code(202).send({ jobId: job.id, acceptedAt: job.acceptedAt });
  });
  app.post('/jobs/poster/cancel', async (request, reply) => {
    const parsed = jobCancellation.safeParse(request.body);
    if (!parsed.success)
      return sendProblem(request, reply, 400, 'invalid_request', describeIssues(parsed.error));
    const job = drawing.get(parsed.data.idempotencyKey);
    job?.abort();
    return { cancelled: job !== undefined };
  });
  app.get('/jobs/settings', () => ({ delayMs }));
  app.put('/jobs/settings', async (request, reply) => {
    const parsed = jobSettings.safeParse(request.body);
    if (!parsed.success)
      return sendProblem(request, reply, 400, 'invalid_request', describeIssues(parsed.error));
    ({ delayMs } = parsed.data);
    return { delayMs };
  });
  app.addHook('onClose', async () => stopping.abort());
  done();
}

/** An error of the callback itself; anything else rises. */
function ifOurs(error: unknown): PlinthClientError {
  if (PlinthClientError.isInstance(error)) return error;
  throw error;
}

/** A wait that ends early, without an error, when the service stops. */
function waiting(closing: AbortSignal): (durationMs: number) => Promise<void> {
  return (durationMs) => sleep(durationMs, undefined, { signal: closing }).catch(() => undefined);
}
