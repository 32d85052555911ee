import type { CallbackProgress, ComfyUiWorkflow } from '@plinth/protocol';
import type { HostMessage } from './prompt-socket.js';

/** How far a prompt has come, from what its host says: whole nodes, and the part of the one that runs. Pure. */
export class PromptProgress {
  readonly #done = new Set<string>();
  #node: string | null = null;
  #part = 0;
  #highest = 0;

  constructor(
    private readonly workflow: ComfyUiWorkflow,
    private readonly promptId: string,
  ) {}

  /** The progress after this message; null when it changes nothing. Never goes back. */
  take({ type, data }: HostMessage): CallbackProgress | null {
    if (data.prompt_id !== undefined && data.prompt_id !== this.promptId) return null;
    if (type === 'execution_cached' && Array.isArray(data.nodes)) {
      for (const node of data.nodes) this.#end(String(node));
      return this.#now();
    }
    if (type === 'executing' && typeof data.node === 'string') {
      this.#begin(data.node);
      return this.#now();
    }
    if (
      type === 'progress' &&
      typeof data.value === 'number' &&
      typeof data.max === 'number' &&
      data.max > 0
    ) {
      if (typeof data.node === 'string') this.#begin(data.node);
      this.#part = Math.max(this.#part, Math.min(1, data.value / data.max));
      return this.#now();
    }
    return null;
  }

  #begin(node: string): void {
    if (node === this.#node) return;
    if (this.#node !== null) this.#end(this.#node);
    this.#node = node;
    this.#part = 0;
  }

  #end(node: string): void {
    if (Object.hasOwn(this.workflow, node)) this.#done.add(node);
  }

  #now(): CallbackProgress {
    const all = Object.keys(this.workflow).length;
    const running = this.#node !== null && !this.#done.has(this.#node) ? this.#part : 0;
    // The end is the result, not a number.
    const progress = Math.max(this.#highest, Math.min(0.99, (this.#done.size + running) / all));
    this.#highest = progress;
    const node = this.#node === null ? undefined : this.workflow[this.#node];
    const message = node?._meta?.title ?? node?.class_type;
    return message === undefined ? { progress } : { progress, message };
  }
}
