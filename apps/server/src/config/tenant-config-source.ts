import type { ConfigInForce, PastConfigs, TenantConfigSource } from '@plinth/engine';
import type { TenantConfig, TenantId } from '@plinth/protocol';
import { sentenceOf } from '../tenants/field-errors.js';
import { effectiveConfig } from './effective-config.js';
import type { TenantConfigs, ConfigInForce as WithLayers } from './tenant-configs.js';

/**
 * Configuration as the engine reads it, once per turn: defaults < installation < tenant < agent. Read from the
 * rows each time, so that a change holds in every process from the next turn on.
 */
export class LayeredConfigSource implements TenantConfigSource, PastConfigs {
  constructor(private readonly configs: Pick<TenantConfigs, 'current' | 'at'>) {}

  async current(tenant: TenantId): Promise<ConfigInForce> {
    return inForce(await this.configs.current(tenant));
  }

  /** As it was. The installation's own settings are those of now: nobody keeps them. */
  async at(tenant: TenantId, revision: number): Promise<ConfigInForce> {
    return inForce(await this.configs.at(tenant, revision));
  }
}

const inForce = ({ revision, effective }: WithLayers): ConfigInForce => ({
  revision,
  forAgent: (agentConfig) => withAgent(effective, agentConfig),
});

function withAgent(tenantConfig: TenantConfig, agentConfig: Record<string, unknown>): TenantConfig {
  const layered = effectiveConfig([tenantConfig, agentConfig]);
  // The agent's settings were checked when it was published, and no rule of the schema spans two settings.
  if (!layered.ok) throw new Error(`the settings of an agent do not hold: ${sentenceOf(layered.fields)}`);
  return layered.values;
}
