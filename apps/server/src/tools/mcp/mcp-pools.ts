import type { Clock } from '@plinth/engine';
import type { TenantId } from '@plinth/protocol';
import type { Carrier } from './guarded-fetch.js';
import { McpConnection } from './mcp-connection.js';
import { McpPool } from './mcp-pool.js';
import type { McpServer } from './mcp-servers.js';
import { makeTransport } from './mcp-transport.js';

export interface McpPoolsPorts {
  clock: Clock;
  /** Puts secrets of the tenant into a text. @throws McpFailure when one is not there */
  fillIn(tenant: TenantId, text: string): Promise<string>;
  /** What carries requests to servers of the tenant. */
  carrierFor(tenant: TenantId): Carrier;
  /** Told what an operator wants to know of a server that could not be reached. */
  onProblem(tenant: TenantId, server: string, error: unknown, errorOutput: string): void;
}

/** The pools of one process: one for each tenant's server as it is defined now. */
export class McpPools {
  readonly #pools = new Map<string, { pool: McpPool; digest: string }>();
  /** The retired ones too, as long as they have connections. */
  readonly #live = new Set<McpPool>();
  #closed = false;

  constructor(private readonly ports: McpPoolsPorts) {}

  /** The pool of a server. One of an earlier definition is retired: its calls end on what they began with. */
  of(tenant: TenantId, server: McpServer): McpPool {
    if (this.#closed) throw new Error('the pools are closed');
    const key = `${tenant}/${server.key}`;
    const known = this.#pools.get(key);
    if (known?.digest === server.digest) return known.pool;
    known?.pool.retire();
    const pool: McpPool = new McpPool(server.definition, {
      clock: this.ports.clock,
      open: (onListChanged) => this.#open(tenant, server, onListChanged),
      onEmpty: () => {
        this.#live.delete(pool);
        if (this.#pools.get(key)?.pool === pool) this.#pools.delete(key);
      },
    });
    this.#live.add(pool);
    this.#pools.set(key, { pool, digest: server.digest });
    return pool;
  }

  /** Closes all connections. What still runs fails. */
  async close(): Promise<void> {
    this.#closed = true;
    await Promise.all([...this.#live].map((pool) => pool.close()));
  }

  async #open(tenant: TenantId, server: McpServer, onListChanged: () => void): Promise<McpConnection> {
    const { definition, key } = server;
    const opened = await makeTransport(definition.transport, {
      fillIn: (text) => this.ports.fillIn(tenant, text),
      carrier: () => this.ports.carrierFor(tenant),
    });
    try {
      return await McpConnection.open(opened, { timeoutMs: definition.timeoutMs, onListChanged });
    } catch (error) {
      this.ports.onProblem(tenant, key, error, opened.errorOutput());
      throw error;
    }
  }
}
