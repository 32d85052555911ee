import type { Page, StreamEntry, ThreadMessage } from '@plinth/protocol';
import { readProblem } from '../errors/read-problem.js';
import { createHttpClient } from '../http/http-client.js';
import { toQuery } from '../http/query.js';
import type { Auth, RequestSeam } from '../http/seams.js';
import { createTransport, type Transport } from '../http/transport.js';
import { isEnded } from '../message/reduce-message.js';
import { readFrames } from '../stream/read-frames.js';
import { linkAbort } from '../time/linked-abort.js';
import { waitWithTimer } from '../time/timing.js';
import type { RecordedRun, RecordedThread } from './recorded-thread.js';

/** Milliseconds without a new entry after which the log of a run that has not ended counts as read. */
const QUIET_MS = 1_000;

export type RecordOptions = {
  baseUrl: string;
  auth?: Auth;
  request?: RequestSeam;
  threadId: string;
  signal?: AbortSignal;
};

/**
 * Records a thread from the API: the path to its head, and the event log of each answer. The log of a run that still goes on
 * is recorded as far as it is; one of which the platform keeps no log any more begins with a `snapshot`. Rejects with a
 * `PlinthClientError`.
 */
export async function recordThread(options: RecordOptions): Promise<RecordedThread> {
  const { threadId, signal } = options;
  const transport = createTransport(options);
  const messages = await readMessages(transport, threadId, signal);
  const runs: RecordedRun[] = [];
  for (const answer of messages) {
    const question = messages.find(({ id }) => id === answer.parentId);
    if (answer.role !== 'assistant' || question?.role !== 'user') continue;
    const { messageId, runId, status } = answer.view;
    const entries = await readLog(transport, messageId, { isOver: isEnded(status), signal });
    runs.push({ question, messageId, runId, entries });
  }
  return { format: 1, threadId, runs };
}

async function readMessages(
  transport: Transport,
  threadId: string,
  signal: AbortSignal | undefined,
): Promise<ThreadMessage[]> {
  const http = createHttpClient(transport, waitWithTimer);
  const messages: ThreadMessage[] = [];
  let cursor: string | null = null;
  do {
    const query = toQuery({ cursor: cursor ?? undefined });
    const path = `/v1/threads/${encodeURIComponent(threadId)}/messages${query}`;
    const page: Page<ThreadMessage> = await http.get<Page<ThreadMessage>>(path, { signal });
    messages.unshift(...page.items);
    cursor = page.nextCursor;
  } while (cursor !== null);
  return messages;
}

type LogReading = { isOver: boolean; signal: AbortSignal | undefined };

async function readLog(
  transport: Transport,
  messageId: string,
  { isOver, signal }: LogReading,
): Promise<StreamEntry[]> {
  const path = `/v1/messages/${encodeURIComponent(messageId)}/events`;
  const link = linkAbort(signal);
  const entries: StreamEntry[] = [];
  let quiet = linkAbort(link.signal);
  const waitForMore = () => {
    quiet.abort();
    quiet = linkAbort(link.signal);
    const { signal: current } = quiet;
    void waitWithTimer(QUIET_MS, current).then(() => current.aborted || link.abort());
  };
  const headers = { accept: 'text/event-stream' };
  const init: RequestInit = { headers, cache: 'no-store', ...(signal ? { signal } : {}) };
  const response = await transport(path, init);
  if (!response.ok || !response.body) throw await readProblem(response, `GET ${path}`);
  if (!isOver) waitForMore();
  try {
    await readFrames(response.body, {
      signal: link.signal,
      onBytes: () => undefined,
      onRetryMs: () => undefined,
      onFrames(frames) {
        for (const { id, data } of frames) entries.push({ ...(data as StreamEntry), seq: id });
        if (!isOver) waitForMore();
        return entries.at(-1)?.type !== 'run.finished';
      },
    });
  } finally {
    link.abort();
    link.release();
  }
  return entries;
}
