import { randomUUID } from 'node:crypto';
import type {
  Answer,
  AnswerResponse,
  InterruptView,
  MessageView,
  Page,
  Problem,
  RunView,
  StartRunResponse,
  StreamEntry,
  ThreadMessage,
} from '@plinth/protocol';
import { createParser } from 'eventsource-parser';
import { until } from './until.js';

/** Longest that one connection of a stream is read. */
const STREAM_MS = 60_000;

/** An answer of the API that was not a success. */
export class ApiProblem extends Error {
  constructor(
    readonly status: number,
    readonly problem: Problem,
  ) {
    super(`${status} ${problem.code}: ${problem.detail}`);
  }
}

export interface StreamOptions {
  /** Stops after this entry. Without it: at the end of the stream. */
  until?: (entry: StreamEntry) => boolean;
  after?: string;
  signal?: AbortSignal;
  onEntry?: (entry: StreamEntry) => void;
}

/** Calls the API as a business does, over HTTP, with one credential. Nothing is hidden: no retries, no refresh. */
export class ApiClient {
  constructor(
    readonly url: string,
    readonly credential: string,
  ) {}

  async call<T>(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<T> {
    const response = await fetch(`${this.url}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${this.credential}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(20_000),
    });
    const answer: unknown = await response.json();
    if (!response.ok) throw new ApiProblem(response.status, answer as Problem);
    return answer as T;
  }

  /** Status and body, whatever they are. */
  async raw(
    method: string,
    path: string,
    body?: unknown,
    headers?: Record<string, string>,
  ): Promise<{ status: number; body: unknown }> {
    try {
      return { status: 200, body: await this.call(method, path, body, headers) };
    } catch (error) {
      if (error instanceof ApiProblem) return { status: error.status, body: error.problem };
      throw error;
    }
  }

  start(
    text: string,
    options: { agent?: string; threadId?: string; onBusy?: 'supersede' | 'reject'; key?: string } = {},
  ): Promise<StartRunResponse> {
    const { agent = 'tester', threadId, onBusy, key } = options;
    const path = threadId === undefined ? '/v1/runs' : `/v1/threads/${threadId}/runs`;
    const body = { agent, input: { text }, ...(onBusy ? { onBusy } : {}) };
    return this.call('POST', path, body, key === undefined ? {} : { 'idempotency-key': key });
  }

  answer(interruptId: string, answer: Answer, requestId: string = randomUUID()): Promise<AnswerResponse> {
    return this.call('POST', `/v1/interrupts/${interruptId}/answer`, { requestId, answer });
  }

  message(messageId: string): Promise<MessageView> {
    return this.call('GET', `/v1/messages/${messageId}`);
  }

  run(runId: string): Promise<RunView> {
    return this.call('GET', `/v1/runs/${runId}`);
  }

  messages(threadId: string): Promise<Page<ThreadMessage>> {
    return this.call('GET', `/v1/threads/${threadId}/messages`);
  }

  /** The open interrupt of this tool (the n-th, if it called it several times), when the run has parked with it. */
  parkedOn(messageId: string, tool: string, index = 0, timeoutMs?: number): Promise<InterruptView> {
    return until(
      `${messageId} parked on ${tool}`,
      async () => {
        const view = await this.message(messageId);
        if (view.status !== 'interrupted') return null;
        return view.interrupts.filter((one) => one.tool === tool && one.state === 'open')[index] ?? null;
      },
      timeoutMs,
    );
  }

  /** The message when its run has ended. */
  ended(messageId: string, timeoutMs?: number): Promise<MessageView> {
    const final = ['completed', 'failed', 'cancelled'];
    return until(
      `the end of ${messageId}`,
      async () => {
        const view = await this.message(messageId);
        return final.includes(view.status) ? view : null;
      },
      timeoutMs,
    );
  }

  /** Reads a message's event stream over one connection. */
  async stream(messageId: string, options: StreamOptions = {}): Promise<StreamEntry[]> {
    const cut = new AbortController();
    // Not AbortSignal.timeout: nobody would hold it, and Node 20 forgets it at the next garbage collection.
    const timer = setTimeout(() => cut.abort(new Error(`no end after ${STREAM_MS} ms`)), STREAM_MS);
    const signals = [cut.signal, ...(options.signal ? [options.signal] : [])];
    try {
      return await this.read(messageId, options, AbortSignal.any(signals));
    } finally {
      clearTimeout(timer);
      cut.abort();
    }
  }

  private async read(messageId: string, options: StreamOptions, signal: AbortSignal): Promise<StreamEntry[]> {
    const response = await fetch(`${this.url}/v1/messages/${messageId}/events`, {
      headers: {
        authorization: `Bearer ${this.credential}`,
        ...(options.after === undefined ? {} : { 'last-event-id': options.after }),
      },
      signal,
    });
    if (!response.ok || response.body === null)
      throw new ApiProblem(response.status, (await response.json()) as Problem);
    const entries: StreamEntry[] = [];
    let stopped = false;
    const parser = createParser({
      onEvent({ id, data }) {
        if (stopped) return;
        const entry = { seq: id ?? '', ...(JSON.parse(data) as object) } as StreamEntry;
        entries.push(entry);
        options.onEntry?.(entry);
        stopped = options.until?.(entry) ?? false;
      },
    });
    const decoder = new TextDecoder();
    try {
      for await (const chunk of response.body) {
        parser.feed(decoder.decode(chunk as Uint8Array, { stream: true }));
        if (stopped) break;
      }
    } catch (error) {
      if (!options.signal?.aborted) throw error;
    }
    return entries;
  }
}
