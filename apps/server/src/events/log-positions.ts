import {
  type Beginning,
  type EventOutbox,
  LOG_START,
  type StreamPosition,
  type StreamRef,
} from '@plinth/engine';
import { compareSeq, parseSeq, type TenantId } from '@plinth/protocol';
import { RecentMap } from './recent-map.js';

/** Streams that one process remembers: several times more than it works on at once, two a run. */
const MAX_STREAMS = 2_000;

interface Known {
  position: StreamPosition;
  /** In which epoch the last delta was written, when one was. */
  deltaEpoch: number | null;
  /** The epoch that this process may begin, and has not. */
  beginning: (Beginning & { epoch: number }) | null;
}

/**
 * Where the logs that this process writes to end, as far as it knows: what it saw itself, else what the
 * ledger says.
 */
export class LogPositions {
  readonly #known = new RecentMap<Known>(MAX_STREAMS);

  constructor(private readonly outbox: EventOutbox) {}

  known(tenant: TenantId, stream: StreamRef): StreamPosition | null {
    return this.#known.get(keyOf(tenant, stream))?.position ?? null;
  }

  async current(tenant: TenantId, stream: StreamRef): Promise<StreamPosition> {
    return (
      this.known(tenant, stream) ?? this.#keep(tenant, stream, await this.outbox.position(tenant, stream))
    );
  }

  /** An entry stands at `seq`. */
  reached(tenant: TenantId, stream: StreamRef, seq: string): void {
    this.#keep(tenant, stream, positionAt(seq));
  }

  /** The stream was created just now, by this process. Call it once for a stream, ever. */
  created(tenant: TenantId, stream: StreamRef): void {
    this.#mayBegin(tenant, stream, { epoch: LOG_START.epoch, fence: 0 });
  }

  /**
   * The right to begin this epoch, if this process has it: it is gone with the answer. Take it right before the append,
   * and never for a second one.
   */
  takeBeginning(tenant: TenantId, stream: StreamRef, epoch: number): Beginning | undefined {
    const key = keyOf(tenant, stream);
    const known = this.#known.get(key);
    if (known?.beginning?.epoch !== epoch) return undefined;
    this.#known.set(key, { ...known, beginning: null });
    return { fence: known.beginning.fence };
  }

  /**
   * The log lost entries: what is written from now on belongs to a new epoch. Returns the run's fence, as the ledger
   * has it.
   */
  async raise(tenant: TenantId, stream: StreamRef, lost: StreamPosition): Promise<number> {
    const { epoch, raised, fence } = await this.outbox.raiseEpoch(tenant, stream, lost.epoch);
    if (raised) this.#mayBegin(tenant, stream, { epoch, fence });
    else this.#keep(tenant, stream, { ...LOG_START, epoch });
    return fence;
  }

  /** Another writer has begun a newer epoch, in which the log's last entry is `tail`. */
  async follow(tenant: TenantId, stream: StreamRef, tail: string): Promise<void> {
    const { epoch, tail: n } = positionAt(tail);
    let recorded = await this.outbox.position(tenant, stream);
    // Only when the ledger itself was restored from a backup. It must not give out this epoch again.
    while (recorded.epoch < epoch) {
      // Not ours to begin: somebody has.
      const raised = await this.outbox.raiseEpoch(tenant, stream, recorded.epoch);
      recorded = { ...LOG_START, epoch: raised.epoch };
    }
    this.#keep(tenant, stream, recorded);
    this.#keep(tenant, stream, { epoch, tail: n });
  }

  /**
   * False once after every change of the epoch between two deltas: the text that the next one goes on with
   * stands in the old epoch.
   */
  continuesDeltas(tenant: TenantId, stream: StreamRef): boolean {
    const key = keyOf(tenant, stream);
    const known = this.#known.get(key);
    if (!known) return true;
    const { epoch } = known.position;
    const continues = known.deltaEpoch === null || known.deltaEpoch === epoch;
    this.#known.set(key, { ...known, deltaEpoch: epoch });
    return continues;
  }

  #mayBegin(tenant: TenantId, stream: StreamRef, beginning: Beginning & { epoch: number }): void {
    this.#keep(tenant, stream, { ...LOG_START, epoch: beginning.epoch });
    const key = keyOf(tenant, stream);
    const known = this.#known.get(key);
    if (known) this.#known.set(key, { ...known, beginning });
  }

  /** Positions only grow: a late reply must not take one back. */
  #keep(tenant: TenantId, stream: StreamRef, position: StreamPosition): StreamPosition {
    const key = keyOf(tenant, stream);
    const known = this.#known.get(key);
    const isLate = known && compareSeq(toSeq(known.position), toSeq(position)) > 0;
    const kept = isLate ? known.position : position;
    const { deltaEpoch = null, beginning = null } = known ?? {};
    this.#known.set(key, { position: kept, deltaEpoch, beginning });
    return kept;
  }
}

const keyOf = (tenant: TenantId, stream: StreamRef): string => `${tenant} ${stream.kind} ${stream.id}`;

const toSeq = ({ epoch, tail }: StreamPosition) => ({ epoch, n: tail });

function positionAt(text: string): StreamPosition {
  const seq = parseSeq(text);
  if (!seq) throw new Error(`the event log answered with the position ${JSON.stringify(text)}`);
  return { epoch: seq.epoch, tail: seq.n };
}
