import type { TenantConfig, TenantId } from '@plinth/protocol';

/** A tenant's configuration at one revision. */
export interface ConfigInForce {
  revision: number;
  /** With an agent's own settings laid over it. `{}`: the tenant's alone. */
  forAgent(agentConfig: Record<string, unknown>): TenantConfig;
}

/** The tenant's configuration as it is now. Read once per turn. */
export interface TenantConfigSource {
  current(tenant: TenantId): Promise<ConfigInForce>;
}
