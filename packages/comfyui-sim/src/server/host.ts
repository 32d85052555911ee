import { randomUUID } from 'node:crypto';
import { executePrompt, type ResultCache } from '../prompts/execute-prompt.js';
import type { JsonRecord, Prompt, QueueItem } from '../prompts/prompt.js';
import { PromptQueue } from '../prompts/prompt-queue.js';
import { validatePrompt } from '../prompts/validate-prompt.js';
import { type Faults, NO_FAULTS } from './faults.js';
import { FileStore } from './file-store.js';
import { Gate } from './gate.js';
import { SocketHub } from './socket-hub.js';

export interface Answer {
  status: number;
  body?: unknown;
}

/** A host without its HTTP: queue, files, clients, and the one worker that executes. */
export class Host {
  readonly queue = new PromptQueue();
  readonly hub = new SocketHub();
  readonly gate = new Gate();
  readonly faults: Faults;
  files = new FileStore();
  #cache: ResultCache = new Map();
  #currentNode: string | null = null;
  /** Grows when the host dies: what an earlier life computes is thrown away. */
  #life = 0;

  constructor(stepMs: number) {
    this.faults = { ...NO_FAULTS, stepMs };
  }

  status(): { exec_info: { queue_remaining: number } } {
    return { exec_info: { queue_remaining: this.queue.remaining } };
  }

  /** What a client hears when it connects. */
  greet(clientId: string): [string, JsonRecord][] {
    const greeting: [string, JsonRecord][] = [['status', { status: this.status(), sid: clientId }]];
    const isMine = this.queue.running?.[3].client_id === clientId;
    if (isMine && this.#currentNode) greeting.push(['executing', { node: this.#currentNode }]);
    return greeting;
  }

  submit(body: JsonRecord): Answer {
    if (typeof body.prompt !== 'object' || body.prompt === null) {
      const message = 'No prompt provided';
      const error = { type: 'no_prompt', message, details: message, extra_info: {} };
      return { status: 400, body: { error, node_errors: {} } };
    }
    const prompt = body.prompt as Prompt;
    const { error, outputs, node_errors } = validatePrompt(prompt, this.files);
    if (error) return { status: 400, body: { error, node_errors } };
    const wanted = this.faults.ignoresPromptIds ? undefined : body.prompt_id;
    const promptId = wanted === undefined ? randomUUID() : String(wanted);
    const number = typeof body.number === 'number' ? body.number : this.queue.nextNumber(body.front === true);
    const extraData: JsonRecord = { ...(body.extra_data as JsonRecord | undefined) };
    if (body.client_id !== undefined) extraData.client_id = body.client_id;
    extraData.create_time = Date.now();
    this.queue.put([number, promptId, prompt, extraData, outputs]);
    this.queueChanged();
    setImmediate(() => this.#work());
    return { status: 200, body: { prompt_id: promptId, number, node_errors } };
  }

  /** @param promptId only when this one runs; without it whatever runs */
  interrupt(promptId?: string): void {
    const running = this.queue.running?.[1];
    if (promptId === undefined || this.faults.ignoresPromptIds || promptId === running) this.gate.interrupt();
  }

  queueChanged(): void {
    this.hub.send('status', { status: this.status() });
  }

  /** Loses all that a process has in its memory. Files stay. */
  die(): void {
    this.#life += 1;
    this.gate.interrupt();
    this.hub.drop();
    this.queue.clear();
    this.#cache = new Map();
  }

  #work(): void {
    if (this.queue.running) return;
    const item = this.queue.take();
    if (!item) return;
    this.queueChanged();
    this.gate.reset();
    void this.#execute(item, this.#life);
  }

  async #execute(item: QueueItem, life: number): Promise<void> {
    const [, promptId, , extraData] = item;
    const clientId = typeof extraData.client_id === 'string' ? extraData.client_id : null;
    const send = (event: string, data: JsonRecord) => {
      if (life !== this.#life) return;
      if (event === 'executing') this.#currentNode = data.node as string | null;
      if (clientId !== null) this.hub.send(event, data, clientId);
    };
    const entry = await executePrompt(item, this.#cache, {
      files: this.files,
      send,
      sendPreview: (jpeg) => {
        if (clientId !== null && life === this.#life) this.hub.sendPreview(jpeg, clientId);
      },
      pause: () => this.gate.pass(this.faults.stepMs),
      beforeNode: (id) => {
        if (this.faults.failNode?.node === id) throw new Error(this.faults.failNode.message);
      },
    });
    if (life !== this.#life) return;
    if (!this.faults.keepsNoHistory) this.queue.history.set(promptId, entry);
    this.queue.running = null;
    this.queueChanged();
    send('executing', { node: null, prompt_id: promptId });
    this.#work();
  }
}
