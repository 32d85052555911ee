import type { AppendOutcome, EventLog, LogEntry, StreamRef } from '@plinth/engine';
import { compareSeq, formatSeq, parseSeq, type Seq, type TenantId } from '@plinth/protocol';

const NOTHING: Seq = { epoch: -1, n: 0 };

interface Log {
  entries: LogEntry[];
  tail: Seq;
  fence: number;
  seen: Set<string>;
  /** In which its epoch began. */
  history: number;
}

/** All the logs at one moment. */
export type SavedLogs = ReadonlyMap<string, Log>;

/** The event logs without Redis. It keeps every rule that `describeEventLog` states; nothing expires. */
export class MemoryEventLog implements EventLog {
  private logs = new Map<string, Log>();
  private history = 1;

  append(
    tenant: TenantId,
    stream: StreamRef,
    { payload, eventId, ...as }: Parameters<EventLog['append']>[2],
  ): Promise<AppendOutcome> {
    return this.appendAll(tenant, stream, { ...as, entries: [{ payload, eventId }] });
  }

  async appendAll(
    tenant: TenantId,
    stream: StreamRef,
    { entries, fence, expect, begins }: Parameters<EventLog['appendAll']>[2],
  ): Promise<AppendOutcome> {
    const log = this.log(tenant, stream);
    const floor = Math.max(log.fence, begins?.fence ?? 0);
    if (fence !== null && floor > fence) return { kind: 'fenced' };
    const added = entries.filter(({ eventId }) => eventId === null || !log.seen.has(eventId));
    if (added.length === 0) return { kind: 'duplicate', tail: formatSeq(log.tail) };
    if (log.tail.epoch > expect.epoch) return { kind: 'behind', tail: formatSeq(log.tail) };
    const isThere = log.tail.epoch === expect.epoch;
    if (!isThere && begins) log.history = this.history;
    else if (!isThere || log.history !== this.history || log.tail.n < expect.tail)
      return { kind: 'tail_lost' };
    const reached = isThere ? log.tail.n : 0;
    log.fence = fence ?? floor;
    for (const [place, { payload, eventId }] of added.entries()) {
      log.tail = { epoch: expect.epoch, n: reached + place + 1 };
      log.entries.push({ seq: formatSeq(log.tail), payload });
      if (eventId !== null) log.seen.add(eventId);
    }
    return { kind: 'appended', seq: formatSeq(log.tail) };
  }

  async setFence(tenant: TenantId, stream: StreamRef, fence: number): Promise<void> {
    const log = this.log(tenant, stream);
    log.fence = Math.max(log.fence, fence);
  }

  async keepFor(): Promise<void> {}

  /** What stands in the log, oldest first. */
  async entries(tenant: TenantId, stream: StreamRef): Promise<LogEntry[]> {
    return [...this.log(tenant, stream).entries];
  }

  /** As if this log had been flushed, or restored from a file of the time when it ended at `until`. */
  async lose(tenant: TenantId, stream: StreamRef, until: string | null = null): Promise<void> {
    const end = until === null ? null : parseSeq(until);
    if (end === null) {
      this.logs.delete(keyOf(tenant, stream));
      return;
    }
    const log = this.log(tenant, stream);
    log.entries = log.entries.filter(({ seq }) => compareSeq(parseSeq(seq) ?? NOTHING, end) <= 0);
    log.tail = end;
    log.history = 0;
  }

  /** As it would stand in a file. */
  save(): SavedLogs {
    return structuredClone(this.logs);
  }

  /** A store that begins again, with what a file holds. */
  restart(saved: SavedLogs): void {
    this.logs = new Map(structuredClone(saved));
    this.history += 1;
  }

  flush(): void {
    this.logs = new Map();
  }

  private log(tenant: TenantId, stream: StreamRef): Log {
    const key = keyOf(tenant, stream);
    const log = this.logs.get(key) ?? { entries: [], tail: NOTHING, fence: -1, seen: new Set(), history: 0 };
    this.logs.set(key, log);
    return log;
  }
}

const keyOf = (tenant: TenantId, stream: StreamRef): string => `${tenant} ${stream.kind} ${stream.id}`;
