import type { Clock } from '@plinth/engine';
import type { TenantId } from '@plinth/protocol';
import type { McpPool } from './mcp-pool.js';
import type { McpPools } from './mcp-pools.js';
import type { McpServer } from './mcp-servers.js';
import { type McpToolList, readTools } from './mcp-tool.js';

/** Milliseconds that a list is used, for servers that do not say when it changes. */
const FRESH_MS = 60_000;

interface Known {
  list: McpToolList;
  version: number;
  readAt: number;
}

/** What servers offer, remembered for a minute or until the server says that it has changed. */
export class McpToolLists {
  readonly #known = new WeakMap<McpPool, Known>();

  constructor(
    private readonly pools: McpPools,
    private readonly clock: Clock,
  ) {}

  /**
   * @param signal stops the reading
   * @throws McpFailure when the server cannot be asked
   */
  async of(tenant: TenantId, server: McpServer, signal: AbortSignal): Promise<McpToolList> {
    const pool = this.pools.of(tenant, server);
    const known = this.#known.get(pool);
    if (known && known.version === pool.listVersion && this.clock.now() - known.readAt < FRESH_MS)
      return known.list;
    return this.readAgain(tenant, server, signal);
  }

  /** The same, from the server itself. */
  async readAgain(tenant: TenantId, server: McpServer, signal: AbortSignal): Promise<McpToolList> {
    const pool = this.pools.of(tenant, server);
    const { definition } = server;
    const version = pool.listVersion;
    const raw = await pool.use((connection) => connection.listTools(definition.timeoutMs, signal));
    const list = readTools(raw, definition);
    this.#known.set(pool, { list, version, readAt: this.clock.now() });
    return list;
  }
}
