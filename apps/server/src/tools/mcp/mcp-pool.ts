import type { Clock } from '@plinth/engine';
import type { McpServerDefinition } from '@plinth/protocol';
import type { McpConnection } from './mcp-connection.js';
import { McpFailure } from './mcp-failure.js';

/** Milliseconds without use after which a connection is asked whether the server is still there. */
const ASK_AFTER_MS = 30_000;
/** Milliseconds for its answer. */
const ASK_MS = 5_000;
/** Milliseconds without use after which connections over the least number are closed, and after which all are. */
const IDLE_MS = 60_000;
const LONG_IDLE_MS = 600_000;
/** Milliseconds between two looks for idle connections. */
const LOOK_MS = 15_000;
/** Milliseconds before the next try to open one after a failure, doubled by each further failure, and the most. */
const BACK_OFF_MS = 1_000;
const LONGEST_BACK_OFF_MS = 30_000;

export interface PoolPorts {
  clock: Clock;
  /** Opens one connection. @throws McpFailure */
  open(onListChanged: () => void): Promise<McpConnection>;
  /** Told when the last connection has gone. */
  onEmpty(): void;
}

interface Member {
  connection: McpConnection;
  inUse: number;
  usedAt: number;
}

/**
 * The connections of one process to one server, as one revision of it says. They are opened when they are needed: a call
 * gets one of its own up to the most, then the one that is used least. What has died is left out and replaced.
 */
export class McpPool {
  readonly #members = new Set<Member>();
  readonly #stop = new AbortController();
  readonly #opening = new Set<Promise<Member>>();
  #failures = 0;
  #notBefore = 0;
  #lastFailure = '';
  #looking = false;
  #retired = false;
  /** Grows when the server says that its list of tools has changed. */
  listVersion = 0;

  constructor(
    readonly definition: McpServerDefinition,
    private readonly ports: PoolPorts,
  ) {}

  get size(): number {
    return this.#members.size;
  }

  /**
   * Does work on a connection.
   *
   * @throws McpFailure `unavailable` when none can be had, and what the work throws
   */
  async use<T>(work: (connection: McpConnection) => Promise<T>): Promise<T> {
    const member = await this.#take();
    try {
      return await work(member.connection);
    } finally {
      member.inUse -= 1;
      member.usedAt = this.ports.clock.now();
      if (member.connection.isClosed) this.#members.delete(member);
      else if (this.#retired && member.inUse === 0) void this.#drop(member);
    }
  }

  /** No new work is coming: what is not in use is closed now, the rest when its work is done. */
  retire(): void {
    this.#retired = true;
    for (const member of this.#members) if (member.inUse === 0) void this.#drop(member);
  }

  /** Closes everything at once; what is under way fails. */
  async close(): Promise<void> {
    this.#retired = true;
    this.#stop.abort();
    await Promise.all([...this.#members].map((member) => this.#drop(member)));
  }

  async #take(): Promise<Member> {
    for (;;) {
      const member = this.#free() ?? (this.#hasRoom ? await this.#open() : this.#leastUsed());
      if (member === null) {
        // All that there may be are being opened by others just now.
        await Promise.any(this.#opening).catch(() => {});
        continue;
      }
      const rested = this.ports.clock.now() - member.usedAt;
      if (member.inUse > 1 || rested < ASK_AFTER_MS) return member;
      if (await member.connection.isAlive(Math.min(ASK_MS, this.definition.timeoutMs))) return member;
      member.inUse -= 1;
      this.#members.delete(member);
    }
  }

  #free(): Member | null {
    this.#forgetClosed();
    const free = [...this.#members].find(({ inUse }) => inUse === 0);
    return free === undefined ? null : this.#used(free);
  }

  #leastUsed(): Member | null {
    const [least] = [...this.#members].sort((a, b) => a.inUse - b.inUse);
    return least === undefined ? null : this.#used(least);
  }

  get #hasRoom(): boolean {
    return this.#members.size + this.#opening.size < this.definition.maxConnections;
  }

  #used(member: Member): Member {
    member.inUse += 1;
    return member;
  }

  #open(): Promise<Member> {
    const opening = this.#openNow();
    this.#opening.add(opening);
    const done = () => void this.#opening.delete(opening);
    opening.then(done, done);
    return opening;
  }

  async #openNow(): Promise<Member> {
    const { clock } = this.ports;
    const waitMs = this.#notBefore - clock.now();
    if (waitMs > 0)
      throw new McpFailure(
        'unavailable',
        `${this.#lastFailure}; it is tried again in ${Math.ceil(waitMs / 1000)} s`,
      );
    try {
      const connection = await this.ports.open(() => {
        this.listVersion += 1;
      });
      const member = { connection, inUse: 1, usedAt: clock.now() };
      if (this.#stop.signal.aborted) {
        await connection.close();
        throw new McpFailure('unavailable', 'is not reached any more: this process ends');
      }
      this.#failures = 0;
      this.#members.add(member);
      void this.#lookForIdle();
      return member;
    } catch (error) {
      this.#failures += 1;
      const backOffMs = Math.min(LONGEST_BACK_OFF_MS, BACK_OFF_MS * 2 ** (this.#failures - 1));
      this.#notBefore = clock.now() + backOffMs;
      this.#lastFailure = error instanceof Error ? error.message : 'could not be reached';
      throw error;
    }
  }

  /** Runs as long as there are connections. */
  async #lookForIdle(): Promise<void> {
    if (this.#looking) return;
    this.#looking = true;
    while (this.#members.size > 0 && !this.#stop.signal.aborted) {
      await this.ports.clock.wait(LOOK_MS, this.#stop.signal).catch(() => {});
      this.#forgetClosed();
      this.#dropIdle();
    }
    this.#looking = false;
    this.ports.onEmpty();
  }

  #dropIdle(): void {
    const now = this.ports.clock.now();
    const idle = [...this.#members]
      .filter(({ inUse, usedAt }) => inUse === 0 && now - usedAt >= IDLE_MS)
      .sort((a, b) => a.usedAt - b.usedAt);
    let spare = this.#members.size - this.definition.minConnections;
    for (const member of idle) {
      if (spare <= 0 && now - member.usedAt < LONG_IDLE_MS) continue;
      spare -= 1;
      void this.#drop(member);
    }
  }

  #forgetClosed(): void {
    for (const member of this.#members) if (member.connection.isClosed) this.#members.delete(member);
  }

  async #drop(member: Member): Promise<void> {
    this.#members.delete(member);
    await member.connection.close();
  }
}
