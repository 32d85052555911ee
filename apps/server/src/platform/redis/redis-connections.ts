import { Redis, type RedisOptions } from 'ioredis';

/**
 * The connections of one process, each opened when first asked for:
 *
 *   commands     everything that answers at once; what was under way when it broke is sent again
 *   once         the same, and what was under way when it broke fails: it is never sent again
 *   subscriber   the one connection that listens to channels
 *   queue        adds jobs
 *   queue-worker takes jobs; BullMQ makes one more of it, which blocks
 */
export type ConnectionName = 'commands' | 'once' | 'subscriber' | 'queue' | 'queue-worker';

export interface RedisConnectionOptions {
  url: string;
  /** Where the queue lives. Default: `url`. That Redis must not evict. */
  queueUrl?: string;
  /** Told of every connection error. A connection repairs itself, so this is for the log. */
  onError(connection: ConnectionName, error: Error): void;
  /** Milliseconds for the TCP connection. Default 5000. */
  connectTimeoutMs?: number;
  /** Milliseconds for the reply to one command. Lower fails sooner when Redis hangs. Default 5000. */
  commandTimeoutMs?: number;
}

/** Reconnections that one command lives through before it fails. */
const RETRIES_PER_COMMAND = 3;
const LONGEST_RETRY_DELAY_MS = 2_000;

export class RedisConnections {
  readonly #open = new Map<ConnectionName, Redis>();

  constructor(private readonly options: RedisConnectionOptions) {}

  get(name: ConnectionName): Redis {
    const known = this.#open.get(name);
    if (known) return known;
    const isQueue = name === 'queue' || name === 'queue-worker';
    const url = isQueue ? (this.options.queueUrl ?? this.options.url) : this.options.url;
    const redis = new Redis(url, this.#optionsOf(name));
    redis.on('error', (error: Error) => this.options.onError(name, error));
    // Each of its commands under way listens for its end.
    if (name === 'once') redis.setMaxListeners(0);
    this.#open.set(name, redis);
    return redis;
  }

  /** Lets sent commands finish for as long as `timeoutMs`, then cuts what is left. */
  async close(timeoutMs = 2_000): Promise<void> {
    const connections = [...this.#open.values()];
    this.#open.clear();
    await Promise.all(connections.map((redis) => quit(redis, timeoutMs)));
  }

  #optionsOf(name: ConnectionName): RedisOptions {
    const { connectTimeoutMs = 5_000, commandTimeoutMs = 5_000 } = this.options;
    const options: RedisOptions = {
      connectionName: `plinth-${name}`,
      connectTimeout: connectTimeoutMs,
      commandTimeout: commandTimeoutMs,
      maxRetriesPerRequest: RETRIES_PER_COMMAND,
      retryStrategy: retryDelayMs,
      // RedisSubscriber does it, and then tells its listeners that they may have missed something.
      autoResubscribe: false,
      autoResendUnfulfilledCommands: name !== 'once',
    };
    if (name !== 'queue-worker') return options;
    // BullMQ wants its worker to wait for ever for a job, and for a Redis that is away.
    const { commandTimeout: _, ...blocking } = options;
    return { ...blocking, maxRetriesPerRequest: null };
  }
}

/** 50 ms, doubled with every attempt up to two seconds, for ever; spread, since all processes lose Redis at once. */
function retryDelayMs(attempt: number): number {
  const delayMs = Math.min(50 * 2 ** Math.min(attempt - 1, 10), LONGEST_RETRY_DELAY_MS);
  return Math.round(delayMs * (0.5 + Math.random() / 2));
}

async function quit(redis: Redis, timeoutMs: number): Promise<void> {
  if (redis.status !== 'ready') return redis.disconnect();
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, timeoutMs);
  });
  await Promise.race([redis.quit().then(undefined, () => undefined), late]);
  clearTimeout(timer);
  redis.disconnect();
}
