import type { Clock } from '@plinth/engine';
import type { JsonObject } from '@plinth/protocol';
import { type Dispatcher, FormData, fetch, type Response, WebSocket } from 'undici';
import type { z } from 'zod';
import { describeNetworkError } from './describe-network-error.js';
import * as answers from './host-answers.js';
import { PromptSocket } from './prompt-socket.js';
import { readBounded } from './read-bounded.js';
import { readBytes } from './read-bytes.js';

/** Milliseconds for a question about the queue or one prompt. A host that needs longer is not well. */
const QUESTION_MS = 5_000;
/** Milliseconds for a file, either way. */
const FILE_MS = 120_000;
/** The nodes of a host with many extensions are some megabytes. */
const MAX_JSON_BYTES = 64 * 1024 * 1024;
/** Newest entries of the history that are searched for a prompt whose id is not known. */
const SEARCHED_HISTORY = 200;

/** What became of a workflow that was sent. */
export type Sent =
  | { kind: 'queued'; promptId: string }
  | { kind: 'refused'; refusal: answers.PromptRefused }
  /** The host certainly does not have it. */
  | { kind: 'not_sent'; why: string }
  /** Nobody knows whether the host has it. */
  | { kind: 'unclear'; why: string };

/** Where a prompt is. */
export type Found =
  | { kind: 'pending'; promptId: string; position: number }
  | { kind: 'running'; promptId: string }
  | { kind: 'ended'; promptId: string; entry: answers.HistoryEntry }
  | { kind: 'missing' };

/** The host did not answer, or not with what a ComfyUI host answers. */
export class HostProblem extends Error {}

/** Errors of a connection that was never there: nothing was sent. */
const NEVER_CONNECTED = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
  // The tenant may not connect there.
  'blocked_address',
]);

/** The HTTP and WebSocket API of one ComfyUI host. All connections to hosts are made here, by the dispatcher. */
export class ComfyUiHost {
  /**
   * @param url base URL without a slash at its end
   * @param dispatcher opens the connections that its tenant may have
   */
  constructor(
    readonly url: string,
    private readonly clock: Clock,
    private readonly dispatcher: Dispatcher,
  ) {}

  /** Prompts that wait or run. @throws HostProblem */
  async queueLength(signal: AbortSignal): Promise<number> {
    return (await this.#json(answers.queueInfo, '/prompt', { signal })).exec_info.queue_remaining;
  }

  /**
   * @param clientId finds it when the host gave it another id than the one that was asked for, as old ones do
   * @throws HostProblem
   */
  async find(promptId: string, clientId: string, signal: AbortSignal): Promise<Found> {
    const ended = await this.#ended(promptId, signal);
    if (ended) return ended;
    const queue = await this.#json(answers.queueState, '/queue', { signal });
    const isIt = ([, id, , extra]: answers.QueueItem) => id === promptId || extra.client_id === clientId;
    const running = queue.queue_running.find(isIt);
    if (running) return { kind: 'running', promptId: running[1] };
    const waiting = queue.queue_pending.toSorted(([one], [other]) => one - other);
    const position = waiting.findIndex(isIt);
    const pending = waiting[position];
    if (pending) return { kind: 'pending', promptId: pending[1], position };
    // It may have gone from the queue to the history between the two questions.
    return (
      (await this.#ended(promptId, signal)) ?? (await this.#endedOf(clientId, signal)) ?? { kind: 'missing' }
    );
  }

  /** Sends a workflow. Only an abort is thrown. */
  async send(
    prompt: JsonObject,
    names: { promptId: string; clientId: string },
    signal: AbortSignal,
    timeoutMs: number,
  ): Promise<Sent> {
    try {
      const body = JSON.stringify({ prompt, prompt_id: names.promptId, client_id: names.clientId });
      const headers = { 'content-type': 'application/json' };
      return await this.#request(
        '/prompt',
        { method: 'POST', headers, body, signal, timeoutMs },
        async (response) => {
          const said: unknown = await response.json().catch(() => null);
          const accepted = answers.promptAccepted.safeParse(said);
          if (response.ok && accepted.success) return { kind: 'queued', promptId: accepted.data.prompt_id };
          const refused = answers.promptRefused.safeParse(said);
          if (response.status === 400 && refused.success) return { kind: 'refused', refusal: refused.data };
          if (response.status >= 400 && response.status < 500)
            return { kind: 'not_sent', why: `answered ${response.status}` };
          return { kind: 'unclear', why: `answered ${response.status}` };
        },
      );
    } catch (error) {
      signal.throwIfAborted();
      const why = describeNetworkError(error);
      return { kind: NEVER_CONNECTED.has(why) ? 'not_sent' : 'unclear', why };
    }
  }

  /** Puts a file into the host's input folder; the same name again replaces it. Returns how a node names it. @throws HostProblem */
  async upload(name: string, bytes: Uint8Array, mimeType: string, signal: AbortSignal): Promise<string> {
    const form = new FormData();
    form.set('image', new Blob([new Uint8Array(bytes)], { type: mimeType }), name);
    form.set('type', 'input');
    form.set('subfolder', 'plinth');
    form.set('overwrite', 'true');
    const request = { method: 'POST', body: form, signal, timeoutMs: FILE_MS };
    const answer = await this.#json(answers.uploaded, '/upload/image', request);
    return answer.subfolder === '' ? answer.name : `${answer.subfolder}/${answer.name}`;
  }

  /** A file that a node made. Null when it is not there. @throws HostProblem @throws Error when it is larger */
  async download(
    file: answers.OutputFile,
    maxBytes: number,
    signal: AbortSignal,
  ): Promise<Uint8Array | null> {
    const query = new URLSearchParams({ ...file });
    return this.#reached(`/view?${query}`, { signal, timeoutMs: FILE_MS }, async (response) => {
      if (response.status === 404) {
        await response.body?.cancel();
        return null;
      }
      if (!response.ok) throw new HostProblem(`answered ${response.status} to /view`);
      return readBytes(response, maxBytes);
    });
  }

  /**
   * Stops a prompt: taken out of the queue, or interrupted when it is the very one that runs. @throws HostProblem
   */
  async stop(promptId: string, clientId: string, signal: AbortSignal): Promise<void> {
    const post = (path: string, body: JsonObject) =>
      this.#reached(
        path,
        {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify(body),
          signal,
        },
        async (response) => {
          await response.body?.cancel();
          if (!response.ok) throw new HostProblem(`answered ${response.status} to ${path}`);
        },
      );
    const first = await this.find(promptId, clientId, signal);
    if (first.kind === 'pending') await post('/queue', { delete: [first.promptId] });
    // Also when it has just begun. A host that does not know targeted interrupts stops whatever runs, so it is asked last.
    const now = await this.find(promptId, clientId, signal);
    if (now.kind === 'running') await post('/interrupt', { prompt_id: now.promptId });
  }

  /** The node classes of a workflow, as far as the host has them. @throws HostProblem */
  async nodeInfo(classes: readonly string[], signal: AbortSignal): Promise<Map<string, answers.NodeInfo>> {
    const found = new Map<string, answers.NodeInfo>();
    for (const name of new Set(classes)) {
      const path = `/object_info/${encodeURIComponent(name)}`;
      const info = (await this.#json(answers.objectInfo, path, { signal }))[name];
      if (info) found.set(name, info);
    }
    return found;
  }

  /** Hears of one prompt. It may fail at any time; the queue and the history are what counts. */
  listen(clientId: string): PromptSocket {
    const url = `${this.url.replace(/^http/, 'ws')}/ws?clientId=${encodeURIComponent(clientId)}`;
    return new PromptSocket(new WebSocket(url, { dispatcher: this.dispatcher }), this.clock, QUESTION_MS);
  }

  async #ended(promptId: string, signal: AbortSignal): Promise<Extract<Found, { kind: 'ended' }> | null> {
    const path = `/history/${encodeURIComponent(promptId)}`;
    const entry = (await this.#json(answers.history, path, { signal }))[promptId];
    return entry ? { kind: 'ended', promptId, entry } : null;
  }

  async #endedOf(clientId: string, signal: AbortSignal): Promise<Extract<Found, { kind: 'ended' }> | null> {
    const entries = await this.#json(answers.history, `/history?max_items=${SEARCHED_HISTORY}`, { signal });
    const found = Object.entries(entries).find(([, { prompt }]) => prompt[3].client_id === clientId);
    return found ? { kind: 'ended', promptId: found[0], entry: found[1] } : null;
  }

  async #json<T extends z.ZodType>(schema: T, path: string, request: HostRequest): Promise<z.output<T>> {
    return this.#reached(path, request, async (response) => {
      const text = await readBounded(response, MAX_JSON_BYTES);
      if (!response.ok) throw new HostProblem(`answered ${response.status} to ${path.split('?')[0]}`);
      const parsed = schema.safeParse(parseJson(text));
      if (!parsed.success)
        throw new HostProblem(`did not answer like a ComfyUI host to ${path.split('?')[0]}`);
      return parsed.data;
    });
  }

  /** @throws HostProblem for all that keeps an answer away, the signal's reason when aborted */
  async #reached<T>(
    path: string,
    request: HostRequest,
    read: (response: Response) => Promise<T>,
  ): Promise<T> {
    try {
      return await this.#request(path, request, read);
    } catch (error) {
      request.signal.throwIfAborted();
      if (error instanceof HostProblem) throw error;
      throw new HostProblem(`could not be reached (${describeNetworkError(error)})`);
    }
  }

  async #request<T>(
    path: string,
    { signal, timeoutMs = QUESTION_MS, ...init }: HostRequest,
    read: (response: Response) => Promise<T>,
  ): Promise<T> {
    const cut = new AbortController();
    const done = new AbortController();
    this.clock.wait(timeoutMs, done.signal).then(
      () => cut.abort(new Error(`no answer within ${timeoutMs} ms`)),
      () => {},
    );
    try {
      const response = await fetch(`${this.url}${path}`, {
        ...init,
        redirect: 'error',
        signal: AbortSignal.any([signal, cut.signal]),
        dispatcher: this.dispatcher,
      });
      return await read(response);
    } finally {
      done.abort();
    }
  }
}

interface HostRequest {
  method?: string;
  headers?: Record<string, string>;
  body?: string | FormData;
  signal: AbortSignal;
  /** Milliseconds. */
  timeoutMs?: number;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
