import type {
  AnswerRequest,
  ArtifactView,
  InterruptView,
  MessageView,
  StartRunResponse,
  StreamEntry,
  ThreadMessage,
} from '@plinth/protocol';
import type { RequestSeam } from '../http/seams.js';
import { emptyMessageView } from '../message/empty-message-view.js';
import { foldEntries } from '../message/message-log.js';
import type { RecordedRun, RecordedThread } from './recorded-thread.js';
import { createReplayLog, type ReplayLog } from './replay-log.js';

/** An answer that a page gave while the recording was replayed. */
export type CapturedAnswer = AnswerRequest & { interruptId: string };
export type CapturedSend = { agent: string; input: { text: string } };

type StartedRun = { run: RecordedRun; played: number; log: ReplayLog };

/** The platform, as far as one recorded thread goes: behind the client's `request` seam. */
export type ReplayServer = {
  request: RequestSeam;
  answers: CapturedAnswer[];
  sends: CapturedSend[];
  cancels: string[];
  /** Plays one entry; starts the next run when the one before is over. Null at the end of the recording. */
  step(): StreamEntry | null;
  drained(): Promise<void>;
  setConnected(isConnected: boolean): void;
};

export type ReplayOptions = {
  /** Where the bytes of the recording's artifacts are, by artifact id. An artifact without one is not found. */
  artifactUrls?: Readonly<Record<string, string>>;
};

const ok = (body: object, status = 200) => new Response(JSON.stringify(body), { status });
const problem = (status: number, code: string, detail: string, facts: object = {}) =>
  ok({ code, detail, facts }, status);

export function createReplayServer(
  { threadId, runs }: RecordedThread,
  { artifactUrls = {} }: ReplayOptions,
): ReplayServer {
  const started: StartedRun[] = [];
  const threadLog = createReplayLog();
  const answers: CapturedAnswer[] = [];
  const sends: CapturedSend[] = [];
  const cancels: string[] = [];
  const now = () => new Date().toISOString();
  let isConnected = true;

  function startNext(): StartRunResponse | null {
    const run = runs[started.length];
    if (!run) return null;
    const { messageId, runId, question } = run;
    started.push({ run, played: 0, log: createReplayLog() });
    const ids = { threadId, runId, messageId, userMessageId: question.id };
    const event = { type: 'thread.run_created', ...ids, at: question.createdAt };
    threadLog.append(`1-${started.length}`, event);
    return ids;
  }

  function step(): StreamEntry | null {
    const current = started.at(-1);
    const entry = current?.run.entries[current.played];
    if (!current || !entry) return startNext() ? step() : null;
    current.played += 1;
    current.log.append(entry.seq, entry);
    return entry;
  }

  function viewOf({ run, played }: StartedRun): MessageView {
    const start = { view: emptyMessageView(run.messageId, run.runId), cursor: null };
    return foldEntries(start, run.entries.slice(0, played)).log.view;
  }

  function messages(): ThreadMessage[] {
    return started.flatMap((one): ThreadMessage[] => {
      const { question, messageId } = one.run;
      const node = { id: messageId, parentId: question.id, siblings: [messageId] };
      return [question, { ...node, role: 'assistant', createdAt: question.createdAt, view: viewOf(one) }];
    });
  }

  const interrupts = (): InterruptView[] => started.flatMap((one) => viewOf(one).interrupts);
  const artifacts = (): ArtifactView[] => started.flatMap((one) => viewOf(one).artifacts);

  function answer(interruptId: string, request: AnswerRequest): Response {
    const interrupt = interrupts().find(({ id }) => id === interruptId);
    const own = started.find((one) => viewOf(one).interrupts.some(({ id }) => id === interruptId))?.run;
    if (!interrupt || !own) return problem(404, 'not_found', 'The recording has no such interrupt yet.');
    const first = answers.find((other) => other.interruptId === interruptId);
    if (first?.requestId !== request.requestId && (first || interrupt.state !== 'open')) {
      const by = interrupt.answeredBy ?? { kind: 'end_user', id: 'recorded' };
      const facts = { by, answeredAt: interrupt.answeredAt ?? now() };
      return problem(409, 'interrupt_already_answered', 'Somebody else answered first.', facts);
    }
    if (!first) answers.push({ ...request, interruptId });
    const { runId, messageId } = own;
    return ok({ interruptId, runId, messageId, answeredAt: now() });
  }

  function send(body: CapturedSend): Response {
    const run = startNext();
    if (!run) return problem(409, 'recording_ended', 'The recording has no further run to answer this with.');
    sends.push(body);
    return ok(run, 201);
  }

  function artifact(id: string): Response {
    const view = artifacts().findLast((one) => one.id === id);
    const contentUrl = artifactUrls[id];
    if (!view || contentUrl === undefined)
      return problem(404, 'not_found', `Give artifactUrls["${id}"] to replay this artifact.`);
    return ok({ ...view, contentUrl });
  }

  function respond(method: string, path: string, init: RequestInit): Response {
    const [, , kind, id = '', part] = path.replace(/\?.*/, '').split('/').map(decodeURIComponent);
    const after = new Headers(init.headers).get('last-event-id');
    const body = typeof init.body === 'string' ? (JSON.parse(init.body) as never) : ({} as never);
    const one = started.find(({ run }) => run.messageId === id);
    if (method === 'POST') {
      if (kind === 'interrupts' && part === 'answer') return answer(id, body);
      if (kind === 'interrupts' && part === 'lease')
        return ok({ ...(body as object), interruptId: id, until: now(), renewAfterMs: 60_000 });
      if (part === 'cancel') {
        cancels.push(id);
        return ok({ id });
      }
      if (part === 'runs' || (kind === 'runs' && !id)) return send(body);
    }
    if (kind === 'messages' && part === 'events' && one) return one.log.read(after, init.signal);
    if (kind === 'threads' && id === threadId) {
      if (part === 'events') return threadLog.read(after, init.signal);
      if (part === 'messages') return ok({ items: messages(), nextCursor: null });
      if (!part) return ok({ id, headMessageId: messages().at(-1)?.id ?? null });
    }
    if (kind === 'threads' && !id) return ok({ items: [{ id: threadId, title: null }], nextCursor: null });
    if (kind === 'artifacts' && id) return artifact(id);
    return problem(404, 'not_found', `${method} ${path} is no part of the recording.`);
  }

  return {
    answers,
    sends,
    cancels,
    step,
    async drained() {
      await Promise.all([threadLog, ...started.map(({ log }) => log)].map((log) => log.drained()));
    },
    setConnected(connected) {
      isConnected = connected;
      if (!connected) for (const log of [threadLog, ...started.map((one) => one.log)]) log.cut();
    },
    async request(url, init) {
      if (!isConnected) throw new TypeError('The recording is disconnected.');
      return respond(init.method ?? 'GET', url, init);
    },
  };
}
