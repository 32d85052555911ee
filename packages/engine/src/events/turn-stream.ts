import type { EventBody, TenantId } from '@plinth/protocol';
import { type Clock, toIso } from '../clock.js';
import type { Run } from '../runs/run.js';
import type { EventWriter } from './event-writer.js';

/** After the first piece, pieces are gathered for this long ... */
const GATHER_MS = 20;
/** ... or until there are this many characters. */
const GATHER_CHARACTERS = 512;

type Channel = 'reasoning' | 'text';

/** The JSON text of one event of a run, as its log holds it. */
export function eventPayload(run: Run, body: EventBody, now: number): string {
  return JSON.stringify({ ...body, runId: run.id, messageId: run.messageId, at: toIso(now) });
}

/**
 * Streams one turn's text and reasoning to the event log, coalesced: the first piece at once, later ones in
 * small batches. A log that has lost entries gets the whole text so far again, from its start.
 */
export class TurnStream {
  private readonly full: Record<Channel, string> = { reasoning: '', text: '' };
  private readonly sent: Record<Channel, number> = { reasoning: 0, text: 0 };
  private pumping: Promise<void> | null = null;
  private gathering: AbortController | null = null;
  private closing = false;

  constructor(
    private readonly writer: EventWriter,
    private readonly clock: Clock,
    private readonly tenant: TenantId,
    private readonly run: Run,
    private readonly turn: number,
    private readonly onFenced: () => void,
  ) {}

  get text(): string {
    return this.full.text;
  }

  get reasoning(): string {
    return this.full.reasoning;
  }

  get isEmpty(): boolean {
    return this.full.text === '' && this.full.reasoning === '';
  }

  push(channel: Channel, piece: string): void {
    if (piece === '') return;
    this.full[channel] += piece;
    if (this.unsent() >= GATHER_CHARACTERS) this.gathering?.abort();
    // A failure is kept in the promise and rises from close().
    this.pumping ??= this.pump();
    this.pumping.catch(() => {});
  }

  /** Resolves when everything is in the log. @throws what the log threw */
  async close(): Promise<void> {
    this.closing = true;
    this.gathering?.abort();
    await this.pumping;
    if (this.unsent() > 0) await this.pump();
  }

  /** Forgets what was streamed, after a `message.reset`. Call it on a closed stream only. */
  reset(): void {
    for (const channel of ['reasoning', 'text'] as const) {
      this.full[channel] = '';
      this.sent[channel] = 0;
    }
    this.closing = false;
  }

  private unsent(): number {
    return this.full.text.length - this.sent.text + (this.full.reasoning.length - this.sent.reasoning);
  }

  private async pump(): Promise<void> {
    while (this.unsent() > 0) {
      for (const channel of ['reasoning', 'text'] as const) await this.send(channel);
      if (!this.closing) await this.gather();
    }
    this.pumping = null;
  }

  private async gather(): Promise<void> {
    this.gathering = new AbortController();
    await this.clock.wait(GATHER_MS, this.gathering.signal).catch(() => {});
    this.gathering = null;
  }

  private async send(channel: Channel): Promise<void> {
    const from = this.sent[channel];
    const text = this.full[channel].slice(from);
    if (text === '') return;
    const body: EventBody = { type: `${channel}.delta`, turn: this.turn, from, text };
    const stream = { kind: 'message', id: this.run.messageId } as const;
    const outcome = await this.writer.delta(
      this.tenant,
      stream,
      this.run.fence,
      eventPayload(this.run, body, this.clock.now()),
    );
    if (outcome === 'appended') this.sent[channel] = from + text.length;
    else if (outcome === 'epoch_raised') this.sent.text = this.sent.reasoning = 0;
    else {
      this.sent[channel] = from + text.length;
      this.onFenced();
    }
  }
}
