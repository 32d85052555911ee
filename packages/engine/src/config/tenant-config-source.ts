import type { TenantConfig, TenantId } from '@plinth/protocol';

/** The tenant's configuration as it is now, the agent's own settings laid over it. Read once per turn. */
export interface TenantConfigSource {
  current(
    tenant: TenantId,
    agentConfig: Record<string, unknown>,
  ): Promise<{ revision: number; values: TenantConfig }>;
}
