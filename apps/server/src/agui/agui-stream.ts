import { type Event, EventType, type Message, PROTOCOL_VERSION } from '@ag-ui/core';
import {
  compareSeq,
  type MessageEvent,
  type MessageView,
  NO_USAGE,
  parseSeq,
  type Seq,
  type SnapshotEvent,
  type StartRunResponse,
  type Usage,
} from '@plinth/protocol';
import type { FeedEnd, FeedEntry } from '../events/feed-entry.js';
import { endBefore1 } from './agui-before-1.js';
import { outcomeOf } from './agui-outcome.js';
import { AguiTranslator } from './agui-translator.js';

/** A run of ours that an AG-UI run shows. */
export type ShownRun = Pick<StartRunResponse, 'runId' | 'messageId' | 'threadId'> & {
  /** This very request has started it: the client has all that there is. */
  isNew: boolean;
};

export interface AguiStream {
  /** The client's names. */
  threadId: string;
  runId: string;
  clientTools: ReadonlySet<string>;
  /** The client speaks AG-UI 0.x. */
  isBefore1: boolean;
  /** Calls whose results are in the request. */
  settled: readonly string[];
  /** What the client should know of its request, e.g. tools that are not offered. */
  notices: readonly { code: string; message: string }[];
  /** Null: there is nothing to follow, only a thread to show. */
  run: ShownRun | null;
  /** The thread as it is now, and the shown message as it is among it. */
  history(): Promise<{ messages: Message[]; view: MessageView | undefined }>;
  /** The shown message as it is now, and a place that its log has reached. */
  state(): Promise<{ view: MessageView; seq: string }>;
  /** Its log from the start, finished texts folded. */
  follow(feed: { signal: AbortSignal; onSlow: () => void }): AsyncGenerator<FeedEntry, FeedEnd>;
}

const STOPPED: Event = {
  type: EventType.RUN_ERROR,
  code: 'stream_closed',
  message: 'The stream was closed; the run goes on. Send the same request again to follow it.',
};

const snapshotOf = (messages: Message[]): Event => ({ type: EventType.MESSAGES_SNAPSHOT, messages });

/** The events of one AG-UI run, from `RUN_STARTED` to its end or to that of the connection. */
export async function* aguiEvents(
  request: AguiStream,
  feed: { signal: AbortSignal; onSlow: () => void },
): AsyncGenerator<Event, FeedEnd> {
  const { threadId, runId, run } = request;
  yield {
    type: EventType.RUN_STARTED,
    threadId,
    runId,
    protocolVersion: PROTOCOL_VERSION,
    ...(run === null
      ? {}
      : { metadata: { plinth: { runId: run.runId, messageId: run.messageId, threadId: run.threadId } } }),
  };
  for (const value of request.notices) yield { type: EventType.CUSTOM, name: 'plinth.notice', value };
  if (run === null) {
    yield snapshotOf((await request.history()).messages);
    yield { type: EventType.RUN_FINISHED, threadId, runId, outcome: { type: 'success' } };
    return 'ended';
  }
  return yield* new Follower(request, run).run(feed);
}

/** Shows one message of ours, and ends the AG-UI run as our run stands. */
class Follower {
  readonly #translator: AguiTranslator;
  #usedBefore: Usage = NO_USAGE;
  /** The client has the state up to here. */
  #known: Seq | null = null;

  constructor(
    private readonly request: AguiStream,
    private readonly shown: ShownRun,
  ) {
    this.#translator = new AguiTranslator(shown.messageId, request.settled);
  }

  async *run(feed: { signal: AbortSignal; onSlow: () => void }): AsyncGenerator<Event, FeedEnd> {
    if (!this.shown.isNew) {
      const { seq, view: before } = await this.request.state();
      this.#known = parseSeq(seq);
      this.#usedBefore = before.usage;
      const view = (yield* this.#snapshot()) ?? before;
      if (yield* this.#endIfDue(view)) return 'ended';
    }
    const done = new AbortController();
    const entries = this.request.follow({ ...feed, signal: AbortSignal.any([feed.signal, done.signal]) });
    try {
      for (;;) {
        const next = await entries.next();
        if (next.done) {
          if (next.value === 'aborted') yield STOPPED;
          return next.value;
        }
        if (yield* this.#show(next.value)) return 'ended';
      }
    } finally {
      done.abort();
      await entries.return('aborted');
    }
  }

  /** True when the AG-UI run has ended with this entry. */
  async *#show(entry: FeedEntry): AsyncGenerator<Event, boolean> {
    switch (entry.kind) {
      // The text that stood in its place follows whole; what was lost, as a snapshot.
      case 'folded':
      case 'gap':
        return false;
      case 'snapshot': {
        const view = yield* this.#snapshot();
        return yield* this.#endIfDue(view ?? (JSON.parse(entry.payload) as SnapshotEvent).message);
      }
      case 'entry':
        return yield* this.#event(entry.seq, JSON.parse(entry.payload) as MessageEvent);
    }
  }

  async *#event(seq: string, event: MessageEvent): AsyncGenerator<Event, boolean> {
    if (event.type === 'message.reset' && this.#translator.isStreaming(event.turn)) yield* this.#snapshot();
    const place = parseSeq(seq);
    const isKnown = this.#known !== null && place !== null && compareSeq(place, this.#known) <= 0;
    yield* this.#translator.translate(event, isKnown);
    if (event.type === 'run.finished') {
      const { status, reason, error, usage } = event;
      return yield* this.#endIfDue({ ...NOTHING_SAID, status, reason, error, usage });
    }
    if (event.type !== 'run.interrupted' || isKnown) return false;
    // The entry may be old: how the run stands now, the ledger says. When it has ended, or waits for other things than these,
    // what leads there is still to come, and an entry of its own behind it.
    const { view } = await this.request.state();
    return waitsForThese(view, event.interruptIds) ? yield* this.#endIfDue(view) : false;
  }

  /** Ends the AG-UI run if ours stands so. */
  async *#endIfDue(view: MessageView): AsyncGenerator<Event, boolean> {
    const { threadId, runId, clientTools, isBefore1 } = this.request;
    const end = outcomeOf(view, { threadId, runId, clientTools, usedBefore: this.#usedBefore });
    if (end === null) return false;
    yield* this.#translator.close();
    yield isBefore1 ? endBefore1(end) : end;
    return true;
  }

  async *#snapshot(): AsyncGenerator<Event, MessageView | undefined> {
    yield* this.#translator.close();
    const { messages, view } = await this.request.history();
    yield snapshotOf(messages);
    if (view) this.#translator.prime(view);
    return view;
  }
}

function waitsForThese({ status, interrupts }: MessageView, ids: readonly string[]): boolean {
  return (
    status === 'interrupted' && interrupts.every(({ id, state }) => state !== 'open' || ids.includes(id))
  );
}

/** A view of a run that has ended, for its outcome: what it said is not asked for. */
const NOTHING_SAID = { messageId: '', runId: '', parts: [], calls: [], interrupts: [], artifacts: [] };
