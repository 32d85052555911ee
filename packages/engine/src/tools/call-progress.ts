import type { EventBody } from '@plinth/protocol';
import { eventPayload } from '../events/turn-stream.js';
import type { ToolCall } from '../runs/run.js';
import type { RunSession } from '../runs/run-session.js';
import type { ProgressReport } from './tool-executor.js';

/** Milliseconds between two reports of one call that reach the log; of those between them the last one counts. */
const GAP_MS = 250;
/** As long as the message of a remote job's report may be. */
const LONGEST_MESSAGE = 500;

function bodyOf(call: ToolCall, { progress, message }: ProgressReport): EventBody {
  const share = progress === null || Number.isNaN(progress) ? null : Math.min(1, Math.max(0, progress));
  return {
    type: 'tool.progress',
    callId: call.id,
    progress: share,
    message: message === null ? null : message.slice(0, LONGEST_MESSAGE),
  };
}

/**
 * Shows the progress of one call that runs in this process. Reports go to the event log only: they may be lost,
 * nothing waits for them, and no failure to show one is a failure of the call.
 */
export class CallProgress {
  private next: ProgressReport | null = null;
  private showing = false;
  private readonly ended = new AbortController();

  constructor(
    private readonly session: Pick<RunSession, 'ports' | 'tenant' | 'state' | 'stream'>,
    private readonly call: ToolCall,
  ) {}

  /** Takes a report, whatever numbers it holds. The first is shown at once, later ones not too often. */
  report(report: ProgressReport): void {
    if (this.ended.signal.aborted) return;
    this.next = report;
    if (!this.showing) void this.show();
  }

  /** The call has its outcome: what is not shown yet is not shown any more. */
  end(): void {
    this.next = null;
    this.ended.abort();
  }

  private async show(): Promise<void> {
    const { ports, tenant, state, stream } = this.session;
    this.showing = true;
    for (let report = this.next; report !== null; report = this.next) {
      this.next = null;
      const payload = eventPayload(state.run, bodyOf(this.call, report), ports.clock.now());
      await ports.writer.delta(tenant, stream, state.run.fence, payload).catch(() => {});
      await ports.clock.wait(GAP_MS, this.ended.signal).catch(() => {});
    }
    this.showing = false;
  }
}
