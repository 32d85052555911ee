import type { JsonRecord, QueueItem } from './prompt.js';

export interface HistoryEntry {
  prompt: QueueItem;
  outputs: Record<string, Record<string, unknown[]>>;
  status: {
    status_str: 'success' | 'error';
    completed: boolean;
    messages: [event: string, data: JsonRecord][];
  };
  meta: JsonRecord;
}

/** What waits, what runs, what has ended. One prompt runs at a time, as on a real host. */
export class PromptQueue {
  pending: QueueItem[] = [];
  running: QueueItem | null = null;
  readonly history = new Map<string, HistoryEntry>();
  #number = 0;

  /** @param front before all that waits */
  nextNumber(front: boolean): number {
    const number = front ? -this.#number : this.#number;
    this.#number += 1;
    return number;
  }

  put(item: QueueItem): void {
    this.pending.push(item);
    this.pending.sort(([one], [other]) => one - other);
  }

  take(): QueueItem | null {
    this.running = this.pending.shift() ?? null;
    return this.running;
  }

  delete(promptId: string): void {
    const index = this.pending.findIndex(([, id]) => id === promptId);
    if (index >= 0) this.pending.splice(index, 1);
  }

  get remaining(): number {
    return this.pending.length + (this.running ? 1 : 0);
  }

  clear(): void {
    this.pending = [];
    this.running = null;
    this.history.clear();
  }
}
