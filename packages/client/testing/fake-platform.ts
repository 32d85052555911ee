import type {
  AttachmentInput,
  EventBody,
  MessageView,
  StartRunResponse,
  StreamEntry,
} from '@plinth/protocol';
import type { RequestSeam } from '../src/http/seams.js';
import { emptyMessageView } from '../src/message/empty-message-view.js';
import { reduceMessage } from '../src/message/reduce-message.js';
import { createFakeFiles, type FakeFiles } from './fake-files.js';
import { createFakeLog, type FakeLog } from './fake-log.js';
import { createFakeThread, type FakeThread } from './fake-tree.js';
import { AT } from './log-builder.js';

type FakeInput = { text: string; attachments?: AttachmentInput[] };
type StartOptions = { isAnnounced?: boolean; attachments?: AttachmentInput[] | undefined };
type Loss = 'no response' | 'lost response';
export type FakeRefusal = { status: number; code: string; facts?: object; errors?: object[] };

/**
 * The platform's API in memory, behind the `request` seam. Its messages are folded from its logs, so a page
 * and a stream never disagree. Tests act as the engine (`emit`) and as another tab (`startRun`).
 */
export type FakePlatform = {
  request: RequestSeam;
  /** `POST /v1/runs`, in the order of arrival. */
  calls: string[];
  bodies: { path: string; body: unknown; headers: Headers }[];
  addThread(threadId: string): void;
  startRun(threadId: string, text: string, options?: StartOptions): StartRunResponse;
  /** Puts the head on a message of the path. What stood behind it is on another branch from then on. */
  moveHead(threadId: string, messageId: string | null): void;
  emit(messageId: string, ...bodies: EventBody[]): void;
  files: FakeFiles;
  messageLog(messageId: string): FakeLog;
  threadLog(threadId: string): FakeLog;
  /** Calls whose line contains `part` (or their responses) wait until the returned function is called. */
  hold(part: string, what?: 'call' | 'response'): () => void;
  /** The next call whose line contains `part` is refused, never arrives, or its response gets lost. */
  refuseNext(part: string, refusal: FakeRefusal | Loss): void;
};

/** A file is sent as it is; all else is JSON. */
const readBody = (body: BodyInit): unknown => (typeof body === 'string' ? tryJson(body) : body);

function tryJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

export function createFakePlatform(): FakePlatform {
  const threads = new Map<string, FakeThread>();
  const logs = new Map<string, FakeLog>();
  const calls: string[] = [];
  const bodies: FakePlatform['bodies'] = [];
  const holds: { part: string; what: string; released: Promise<void> }[] = [];
  const refusals: { part: string; refusal: FakeRefusal | Loss }[] = [];
  const byKey = new Map<string, StartRunResponse>();
  const files = createFakeFiles();
  let runs = 0;
  let moments = 0;

  const must = <T>(value: T | undefined): T => {
    if (value === undefined)
      throw new Response(JSON.stringify({ code: 'not_found', detail: 'Not there.' }), { status: 404 });
    return value;
  };
  const addThread = (id: string) => void threads.set(id, createFakeThread());
  const nextMoment = () => new Date(Date.parse(AT) + 1_000 * moments++).toISOString();

  function startRun(
    threadId: string,
    text: string,
    { isAnnounced = true, attachments = [] }: StartOptions = {},
  ): StartRunResponse {
    const thread = must(threads.get(threadId));
    const n = runs + 1;
    const id = `msg_u${n}`;
    const brought = attachments.length > 0 ? { attachments: attachments.map(files.taken) } : {};
    const node = { id, parentId: thread.head(), createdAt: nextMoment() };
    thread.add(`run_${n}`, { ...node, role: 'user', text, ...brought });
    return answerTo(threadId, id, isAnnounced);
  }

  function answerTo(threadId: string, userMessageId: string, isAnnounced = true): StartRunResponse {
    const thread = must(threads.get(threadId));
    const n = ++runs;
    const ids = { runId: `run_${n}`, messageId: `msg_a${n}`, userMessageId };
    const at = nextMoment();
    const view = emptyMessageView(ids.messageId, ids.runId);
    const node = { id: ids.messageId, parentId: userMessageId, createdAt: at };
    thread.add(ids.runId, { ...node, role: 'assistant', view });
    logs.set(ids.messageId, createFakeLog());
    if (isAnnounced) thread.log.append({ type: 'thread.run_created', threadId, ...ids, at });
    return { ...ids, threadId };
  }

  function moveHead(threadId: string, messageId: string | null): void {
    const thread = must(threads.get(threadId));
    if (messageId !== null) must(thread.find(messageId));
    thread.setHead(messageId);
    thread.log.append({ type: 'thread.head_moved', threadId, messageId, at: nextMoment() });
  }

  const threadView = (id: string) => ({ id, headMessageId: must(threads.get(id)).head() });

  function viewOf(messageId: string, runId: string): MessageView {
    const fold = (view: MessageView, { body }: { body: object }) => reduceMessage(view, body as StreamEntry);
    return must(logs.get(messageId)).entries.reduce(fold, emptyMessageView(messageId, runId));
  }

  function answer(method: string, path: string, init: RequestInit): unknown {
    const [, , kind, id = '', part, last = ''] = path.replace(/\?.*/, '').split('/');
    const headers = new Headers(init.headers);
    const stream = (log: FakeLog) => log.read(headers.get('last-event-id'), init.signal);
    if (kind === 'messages' && part === 'events') return stream(must(logs.get(id)));
    if (kind === 'threads' && part === 'events') return stream(must(threads.get(id)).log);
    if (kind === 'threads' && part === 'messages') {
      const items = must(threads.get(id))
        .path()
        .map(({ message, runId }) =>
          message.role === 'user' ? message : { ...message, view: viewOf(message.id, runId) },
        );
      return { items, nextCursor: null };
    }
    if (method === 'POST' && part === 'cancel') return { id };
    if (kind === 'runs' && part === 'context')
      return { runId: id, model: 'sim', turns: Array.from({ length: runs }, () => ({})) };
    const body = JSON.parse(typeof init.body === 'string' ? init.body : '{}') as Record<
      string,
      string | null
    >;
    if (kind === 'threads' && part === 'head') {
      moveHead(id, body.messageId ?? null);
      return threadView(id);
    }
    if (kind === 'threads' && part === 'branches')
      return { messageId: last, tipMessageId: must(threads.get(id)).tip(last) };
    if (kind === 'threads' && part === 'fork') {
      const forked = `thr_fork${threads.size}`;
      threads.set(forked, must(threads.get(id)).fork(must(body.messageId ?? undefined)));
      return threadView(forked);
    }
    if (kind === 'runs' && part === 'retry') {
      const answered = must(threads.get(body.threadId ?? ''))
        .path()
        .find(({ runId }) => runId === id);
      return answerTo(body.threadId ?? '', must(answered).message.id);
    }
    if (method === 'POST' && (kind === 'runs' || part === 'runs')) {
      const key = headers.get('idempotency-key') ?? '';
      const threadId = kind === 'threads' ? id : `thr_new${runs}`;
      if (!threads.has(threadId)) addThread(threadId);
      const { input } = readBody(init.body ?? '{}') as { input: FakeInput };
      const response = byKey.get(key) ?? startRun(threadId, input.text, { attachments: input.attachments });
      byKey.set(key, response);
      return response;
    }
    if (kind === 'threads' && method === 'GET' && id) return threadView(id);
    if (kind === 'threads')
      return { items: [...threads.keys()].map((threadId) => ({ id: threadId })), nextCursor: null };
    if (kind === 'interrupts' && part === 'lease') {
      const { clientId } = JSON.parse(String(init.body)) as { clientId: string };
      return { interruptId: id, runId: 'run_1', clientId, until: AT, renewAfterMs: 5_000 };
    }
    if (kind === 'interrupts')
      return { interruptId: id, runId: 'run_1', messageId: 'msg_a1', answeredAt: AT };
    return must<unknown>(undefined);
  }

  function respond(method: string, path: string, init: RequestInit): Response {
    try {
      const result = answer(method, path, init);
      return result instanceof Response ? result : new Response(JSON.stringify(result));
    } catch (error) {
      if (error instanceof Response) return error;
      throw error;
    }
  }

  return {
    calls,
    bodies,
    addThread,
    startRun,
    moveHead,
    files,
    messageLog: (id) => must(logs.get(id)),
    threadLog: (id) => must(threads.get(id)).log,
    emit(messageId, ...events) {
      for (const body of events)
        must(logs.get(messageId)).append({ runId: 'run_1', messageId, at: AT, ...body });
    },
    hold(part, what = 'call') {
      let release: () => void = () => undefined;
      const hold = { part, what, released: new Promise<void>((resolve) => (release = resolve)) };
      holds.push(hold);
      return () => {
        holds.splice(holds.indexOf(hold), 1);
        release();
      };
    },
    refuseNext: (part, refusal) => void refusals.push({ part, refusal }),
    async request(url, init) {
      const path = url.replace(/^https?:\/\/[^/]+/, '');
      const line = `${init.method ?? 'GET'} ${path}`;
      calls.push(line);
      const { body } = init;
      if (body) bodies.push({ path, body: readBody(body), headers: new Headers(init.headers) });
      const held = (what: string) =>
        holds.find((hold) => hold.what === what && line.includes(hold.part))?.released;
      await held('call');
      const index = refusals.findIndex(({ part }) => line.includes(part));
      const refusal = index < 0 ? undefined : refusals.splice(index, 1)[0]?.refusal;
      if (refusal === 'no response') throw new TypeError('fetch failed');
      if (typeof refusal === 'object')
        return new Response(JSON.stringify({ detail: refusal.code, ...refusal }), { status: refusal.status });
      const response = (await files.respond(line, init)) ?? respond(init.method ?? 'GET', path, init);
      await held('response');
      if (refusal === 'lost response') throw new TypeError('connection reset');
      return response;
    },
  };
}
