import type { TenantId } from '@plinth/protocol';

/** Results of calls that say the same every time, for a while. Losing any of it costs an execution. */
export interface ToolCache {
  /** JSON text of a result that is not older than its time; null when there is none. */
  get(tenant: TenantId, key: string): Promise<string | null>;
  /** Keeps a result. It may be dropped again before its time, to make room for others of the tenant. */
  put(tenant: TenantId, key: string, text: string, ttlSeconds: number): Promise<void>;
}
