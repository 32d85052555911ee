import type { EndUserId, TenantId } from '@plinth/protocol';

export interface RateLimitUse {
  tool: string;
  /** Null: the tenant's own, shared by its end users. */
  endUserId: EndUserId | null;
  /** Calls that may begin in a window. */
  max: number;
  /** Length of a window, which begins with its first call. */
  perSeconds: number;
}

export interface RateLimiter {
  /**
   * Counts one call, if there is room for it.
   *
   * @returns `retryAfterSeconds`: null when the call may be made; else whole seconds until one may, at least 1
   * @throws Error when the counter cannot be reached
   */
  take(tenant: TenantId, use: RateLimitUse): Promise<{ retryAfterSeconds: number | null }>;
}
