import type { EventLog, EventOutbox, LogEntry } from '@plinth/engine';
import { compareSeq, type MessageId, parseSeq, type Seq, type TenantId } from '@plinth/protocol';
import { ManualClock, MemoryEventLog, type SavedLogs } from '@plinth/testkit';
import fc, { type Scheduler } from 'fast-check';
import { LogEventWriter } from '../src/events/log-event-writer.js';
import { LogPositions } from '../src/events/log-positions.js';
import { PublishedMarks } from '../src/events/published-marks.js';
import { TestOutbox } from './test-outbox.js';

export const acme = 'ten_acme' as TenantId;
export const stream = { kind: 'message', id: 'msg_1' as MessageId } as const;
const never = () => new Promise<never>(() => {});

/**
 * What becomes of the next call that a writer makes: it is carried out and its answer is lost, or it is given up and
 * carried out later, or the connection sends it twice (which it does with nothing that begins an epoch).
 */
export const FATES = ['lost', 'late', 'twice'] as const;
type Fate = (typeof FATES)[number];

export type Step =
  | { do: 'stream' | 'commit' | 'drain' | 'take the run' | 'die'; writer: number }
  | { do: 'spoil'; writer: number; fate: Fate }
  | { do: 'read'; reader: number }
  /** `back`: how many appends are not in the file. */
  | { do: 'restart'; back: number }
  | { do: 'flush' | 'mark' };

const number = fc.nat(2);
export const anyStep: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({ do: fc.constantFrom('stream', 'stream', 'commit', 'drain'), writer: number }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constantFrom('take the run', 'die', 'die'), writer: number }) },
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constant('spoil'), writer: number, fate: fc.constantFrom(...FATES) }),
  },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('read'), reader: fc.nat(1) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('restart'), back: fc.nat(3) }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constantFrom('flush', 'flush', 'flush', 'mark') }) },
);

export const at = (seq: string): Seq => parseSeq(seq) ?? { epoch: 0, n: 0 };

/** A log that keeps every entry that it ever gave out, whatever becomes of it. */
class Witnessed extends MemoryEventLog {
  readonly given: LogEntry[] = [];
  private readonly files: SavedLogs[] = [];

  get present(): LogEntry[] {
    return [...this.save().values()].flatMap(({ entries }) => entries);
  }

  override appendAll(...parts: Parameters<EventLog['appendAll']>) {
    const before = this.present.length;
    // It is done when it returns: nothing comes between.
    const outcome = super.appendAll(...parts);
    this.given.push(...this.present.slice(before));
    this.files.unshift(this.save());
    return outcome;
  }

  comeBackOlder(back: number): void {
    this.restart(this.files[back] ?? new Map());
  }
}

/** A reader that keeps what it has since its last gap. */
class Reader {
  private cursor: Seq = { epoch: 1, n: 0 };
  private readonly has = new Map<string, string>();

  /** Returns the entries that it passed over without being told. */
  read(log: readonly LogEntry[]): LogEntry[] {
    const last = log.at(-1);
    if (!last || compareSeq(at(last.seq), this.cursor) < 0) this.gap(last ? at(last.seq) : this.cursor);
    for (const { seq, payload } of log) {
      const place = at(seq);
      if (compareSeq(place, this.cursor) <= 0) continue;
      if (place.epoch !== this.cursor.epoch || place.n !== this.cursor.n + 1) this.gap(place);
      this.cursor = place;
      this.has.set(seq, payload);
    }
    return log.filter(({ seq, payload }) => this.has.has(seq) && this.has.get(seq) !== payload);
  }

  private gap(to: Seq): void {
    this.cursor = to;
    this.has.clear();
  }
}

/** Processes that write to one log while its store loses what it had, in an order that the scheduler makes up. */
export class LosingWorld {
  readonly log = new Witnessed();
  readonly outbox = new TestOutbox();
  readonly passedOver: LogEntry[] = [];
  readonly committed: string[] = [];
  private readonly clock = new ManualClock();
  private readonly writers = [this.process(), this.process(), this.process()];
  private readonly readers = [new Reader(), new Reader()];
  private deltas = 0;

  constructor(private readonly scheduler: Scheduler) {}

  process() {
    const life = { dead: false, fates: [] as Fate[], fence: 0 };
    const call = async <T>(name: string, isOnce: boolean, carryOut: () => Promise<T>): Promise<T> => {
      if (life.dead) return never();
      const fate = life.fates.shift();
      const { scheduler } = this;
      if (fate === 'late') {
        void scheduler.schedule(Promise.resolve(), `${name}, late`).then(carryOut);
        throw new Error('given up');
      }
      await scheduler.schedule(Promise.resolve(), name);
      const answer = await carryOut();
      if (fate === 'twice' && !isOnce)
        void scheduler.schedule(Promise.resolve(), `${name}, again`).then(carryOut);
      await scheduler.schedule(Promise.resolve(), `${name}, its answer`);
      if (life.dead) return never();
      if (fate === 'lost') throw new Error('the answer was lost');
      return answer;
    };
    const log: EventLog = {
      append: (tenant, to, { payload, eventId, ...as }) =>
        log.appendAll(tenant, to, { ...as, entries: [{ payload, eventId }] }),
      appendAll: (tenant, to, batch) =>
        call('append', batch.begins !== undefined, () => this.log.appendAll(tenant, to, batch)),
      setFence: async () => {},
      keepFor: async () => {},
    };
    const outbox: EventOutbox = {
      pending: () => call('pending', true, () => this.outbox.pending()),
      markPublished: (tenant, ids) => call('mark', true, () => this.outbox.markPublished(tenant, ids)),
      announce: async () => {},
      position: () => call('position', true, () => this.outbox.position()),
      raiseEpoch: (...parts) => call('raise', true, () => this.outbox.raiseEpoch(...parts)),
    };
    const marks = new PublishedMarks(outbox, this.clock, () => {});
    const positions = new LogPositions(outbox);
    const writer = new LogEventWriter({ outbox, log, positions, marks, ttlSeconds: async () => 60 });
    return { writer, life };
  }

  /** The first process has created the stream, and writes its first entry. */
  create(fate: Fate | null): void {
    this.commit('created');
    if (fate) this.take({ do: 'spoil', writer: 0, fate });
    this.begin(0, async (writer) => writer.publish(acme, await this.outbox.pending(), [stream]));
  }

  commit(payload: string): void {
    this.committed.push(payload);
    this.outbox.commit(stream, payload);
  }

  take(step: Step): void {
    switch (step.do) {
      case 'stream': {
        const fence = this.writers[step.writer]?.life.fence ?? 0;
        this.deltas += 1;
        const payload = `delta ${this.deltas} of ${fence}`;
        this.begin(step.writer, (writer) => writer.delta(acme, stream, fence, payload));
        return;
      }
      case 'commit':
        this.commit(`commit ${this.committed.length}`);
        this.begin(step.writer, async (writer) => writer.publish(acme, await this.outbox.pending()));
        return;
      case 'drain':
        this.begin(step.writer, (writer) => writer.drain(acme, stream));
        return;
      case 'take the run': {
        this.outbox.fence += 1;
        const life = this.writers[step.writer]?.life;
        if (life) life.fence = this.outbox.fence;
        return;
      }
      case 'die': {
        const died = this.writers[step.writer];
        if (died) died.life.dead = true;
        this.writers[step.writer] = this.process();
        return;
      }
      case 'spoil':
        this.writers[step.writer]?.life.fates.push(step.fate);
        return;
      case 'read':
        this.passedOver.push(...(this.readers[step.reader]?.read(this.log.present) ?? []));
        return;
      case 'flush':
        this.log.flush();
        return;
      case 'restart':
        this.log.comeBackOlder(step.back);
        return;
      case 'mark':
        this.clock.advance(50);
    }
  }

  private begin(number: number, work: (writer: LogEventWriter) => Promise<unknown>): void {
    const { writer } = this.writers[number] ?? this.process();
    void work(writer).catch(() => {});
  }
}
