/**
 * Answers on their way to the server, those of people and the results of frontend tools.
 *
 * - An answer is kept in storage before it is sent, and until the server has taken it or refused it for good.
 * - When it does not get through it is sent again, with growing pauses and at once when the browser is back: the same
 *   request, so that one whose response was lost counts once.
 * - What a page before this one has left is sent first, before anything else is done for the same interrupt.
 */
import type { Answer, AnswerRequest, AnswerResponse } from '@plinth/protocol';
import { type PlinthClientError, toClientError } from '../errors/plinth-client-error.js';
import type { HttpClient } from '../http/http-client.js';
import { createRequestId } from '../http/request-id.js';
import { pauseBeforeRetry, type StreamTools } from '../stream/stream-tools.js';
import { type OutboxEntry, readEntry } from './outbox-entry.js';
import type { OutboxStorage } from './outbox-storage.js';

export type OutboxChange =
  | { type: 'answer.started'; interruptId: string }
  | { type: 'answer.queued'; interruptId: string }
  | { type: 'answer.accepted'; interruptId: string; at: string }
  | { type: 'answer.refused'; interruptId: string; error: PlinthClientError; at: string };

type Watcher = (change: OutboxChange) => void;

export type Outbox = {
  /**
   * Resolves when the server has taken the answer, rejects when it has refused it for good. Only one per interrupt is under
   * way; who asks again meanwhile gets the same promise.
   */
  give(
    interruptId: string,
    threadId: string | null,
    answer: Answer,
    watcher: Watcher,
  ): Promise<AnswerResponse>;
  /** Tells the watcher of what is under way for a thread since before it came, and what becomes of it. */
  attach(threadId: string, watcher: Watcher): void;
  /** Resolves when nothing is under way for the interrupt, also of what a page before this one has left. */
  settled(interruptId: string): Promise<void>;
};

type Delivery = {
  entry: OutboxEntry;
  watchers: Set<Watcher>;
  last: OutboxChange;
  given: Promise<AnswerResponse>;
};

export type OutboxOptions = { storage: OutboxStorage; http: HttpClient; streams: StreamTools };

export function createOutbox({ storage, http, streams }: OutboxOptions): Outbox {
  const underWay = new Map<string, Delivery>();
  /** The last request of each interrupt: the same answer again is the same request, and gets its first response. */
  const lastRequests = new Map<string, AnswerRequest>();
  const never = new AbortController().signal;
  const at = () => new Date(streams.timing.now()).toISOString();

  async function keep(change: () => void | Promise<void>): Promise<void> {
    try {
      await change();
    } catch {
      // A storage that is full or forbidden: the answer is sent all the same.
    }
  }

  async function send({ interruptId, request }: OutboxEntry, tell: Watcher): Promise<AnswerResponse> {
    const path = `/v1/interrupts/${encodeURIComponent(interruptId)}/answer`;
    for (let attempt = 0; ; attempt += 1) {
      try {
        return await http.post<AnswerResponse>(path, request);
      } catch (cause) {
        const error = toClientError(cause, 'The answer was not sent. Try again.');
        if (!error.retryable) throw error;
        tell({ type: 'answer.queued', interruptId });
        await pauseBeforeRetry(streams, { attempt, signal: never });
      }
    }
  }

  async function deliver(entry: OutboxEntry, tell: Watcher): Promise<AnswerResponse> {
    const { interruptId } = entry;
    await keep(() => storage.put(interruptId, JSON.stringify(entry)));
    try {
      const response = await send(entry, tell);
      await keep(() => storage.remove(interruptId));
      tell({ type: 'answer.accepted', interruptId, at: response.answeredAt });
      return response;
    } catch (cause) {
      const error = toClientError(cause, 'The answer was not sent. Try again.');
      // Who has to sign in again has not been refused the answer: the page after that sends it.
      if (error.status !== 401) await keep(() => storage.remove(interruptId));
      tell({ type: 'answer.refused', interruptId, error, at: at() });
      throw error;
    } finally {
      underWay.delete(interruptId);
    }
  }

  function start(entry: OutboxEntry, watchers: Set<Watcher>): Promise<AnswerResponse> {
    const { interruptId } = entry;
    lastRequests.set(interruptId, entry.request);
    const last: OutboxChange = { type: 'answer.started', interruptId };
    const delivery: Delivery = { entry, watchers, last, given: new Promise(() => undefined) };
    const tell: Watcher = (change) => {
      delivery.last = change;
      for (const watcher of [...watchers]) watcher(change);
    };
    underWay.set(interruptId, delivery);
    tell(last);
    delivery.given = deliver(entry, tell);
    return delivery.given;
  }

  async function flush(): Promise<void> {
    let texts: readonly string[] = [];
    await keep(async () => {
      texts = await storage.load();
    });
    for (const entry of texts.map(readEntry)) {
      if (!entry || underWay.has(entry.interruptId)) continue;
      // Refused for good: nobody of this page has given it, and the interrupt's own state tells what became of it.
      start(entry, new Set()).catch(() => undefined);
    }
  }

  const flushed = flush();

  function toRequest(interruptId: string, answer: Answer): AnswerRequest {
    const last = lastRequests.get(interruptId);
    return last && isSame(last.answer, answer) ? last : { requestId: createRequestId(), answer };
  }

  return {
    give(interruptId, threadId, answer, watcher) {
      const current = underWay.get(interruptId);
      if (!current) {
        const request = toRequest(interruptId, answer);
        return start({ interruptId, threadId, request }, new Set([watcher]));
      }
      current.watchers.add(watcher);
      return current.given;
    },
    attach(threadId, watcher) {
      void flushed.then(() => {
        for (const { entry, watchers, last } of underWay.values()) {
          if (entry.threadId !== threadId || watchers.has(watcher)) continue;
          watchers.add(watcher);
          watcher(last);
        }
      });
    },
    async settled(interruptId) {
      await flushed;
      await underWay.get(interruptId)?.given.catch(() => undefined);
    },
  };
}

const isSame = (a: Answer, b: Answer): boolean => JSON.stringify(a) === JSON.stringify(b);
