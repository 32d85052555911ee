import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { JsonObject } from '@plinth/protocol';
import { until } from './until.js';

/** One dispatch as it arrived: the side effect that must not happen twice. */
export interface Dispatch {
  path: string;
  callId: string;
  runId: string;
  idempotencyKey: string;
  arguments: JsonObject;
  callbackUrl: string;
  progressUrl: string | undefined;
  /** Resolves when the caller has gone before it was answered. */
  aborted: Promise<void>;
  hasAborted: boolean;
}

/** What the service does with a dispatch before its own answer. `hold` never answers. */
export type DispatchReaction = (
  dispatch: Dispatch,
) => Promise<{ status: number; body?: JsonObject } | 'hold'>;

/** Milliseconds for which an idle connection stays open: longer than any test. */
const KEEP_ALIVE_MS = 600_000;

const ACCEPT: DispatchReaction = async () => ({ status: 202, body: { accepted: true } });

/** A remote job service under the test's control: it records what it is asked, and answers when it is told to. */
export class JobService {
  readonly dispatches: Dispatch[] = [];
  /** What was posted to a path that ends in `/cancel`. */
  readonly cancellations: { path: string; callId: string; idempotencyKey: string; reason: string }[] = [];
  react: DispatchReaction = ACCEPT;

  private constructor(
    readonly url: string,
    private readonly server: ReturnType<typeof createServer>,
  ) {}

  static async start(port = 0): Promise<JobService> {
    let service: JobService | null = null;
    const server = createServer((request, response) => {
      // A caller that was killed in the middle of its request has nobody to be answered.
      service?.take(request, response).catch(() => response.destroy());
    });
    // On a busy machine an idle connection would be closed in the moment in which a job comes over it.
    server.keepAliveTimeout = KEEP_ALIVE_MS;
    await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
    const address = server.address();
    if (address === null || typeof address === 'string') throw new Error('the job service has no port');
    service = new JobService(`http://127.0.0.1:${address.port}`, server);
    return service;
  }

  /** The n-th dispatch of a run, when it has arrived. */
  dispatchOf(runId: string, index = 0, timeoutMs?: number): Promise<Dispatch> {
    return until(
      `dispatch ${index} of ${runId}`,
      () => this.dispatches.filter((one) => one.runId === runId)[index],
      timeoutMs,
    );
  }

  /** Posts a job's result to its callback URL. Returns status and body. */
  async finish(
    dispatch: Pick<Dispatch, 'callbackUrl'>,
    result: JsonObject = { status: 'succeeded', result: { done: true } },
  ) {
    return post(dispatch.callbackUrl, result);
  }

  async progress(dispatch: Dispatch, progress: number, message: string) {
    if (dispatch.progressUrl === undefined) throw new Error('the dispatch brought no progress URL');
    return post(dispatch.progressUrl, { progress, message });
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private async take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const sent: unknown = JSON.parse(Buffer.concat(chunks).toString());
    if (request.url?.endsWith('/cancel')) {
      this.cancellations.push({ ...(sent as (typeof this.cancellations)[number]), path: request.url });
      response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
      return;
    }
    const body = sent as Omit<Dispatch, 'path' | 'aborted' | 'hasAborted'>;
    let noteAbort = () => {};
    const aborted = new Promise<void>((resolve) => {
      noteAbort = resolve;
    });
    const dispatch: Dispatch = { ...body, path: request.url ?? '/', aborted, hasAborted: false };
    response.on('close', () => {
      if (response.writableEnded) return;
      dispatch.hasAborted = true;
      noteAbort();
    });
    this.dispatches.push(dispatch);
    const answer = await this.react(dispatch);
    if (answer === 'hold' || response.destroyed) return;
    response.writeHead(answer.status, { 'content-type': 'application/json' });
    response.end(JSON.stringify(answer.body ?? {}));
  }
}

async function post(url: string, body: JsonObject): Promise<{ status: number; body: JsonObject }> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(15_000),
  });
  return { status: response.status, body: (await response.json()) as JsonObject };
}
