import type { TenantConfigSource } from '@plinth/engine';
import type { TenantConfig, TenantId } from '@plinth/protocol';
import { sentenceOf } from '../tenants/field-errors.js';
import { effectiveConfig } from './effective-config.js';
import type { TenantConfigs } from './tenant-configs.js';

/**
 * Configuration as the engine reads it, once per turn: defaults < installation < tenant < agent. Read from the
 * rows each time, so that a change holds in every process from the next turn on.
 */
export class LayeredConfigSource implements TenantConfigSource {
  constructor(private readonly configs: Pick<TenantConfigs, 'current'>) {}

  async current(
    tenant: TenantId,
    agentConfig: Record<string, unknown>,
  ): Promise<{ revision: number; values: TenantConfig }> {
    const inForce = await this.configs.current(tenant);
    const effective = effectiveConfig([inForce.effective, agentConfig]);
    // The agent's settings were checked when it was published, and no rule of the schema spans two settings.
    if (!effective.ok)
      throw new Error(`the settings of an agent do not hold: ${sentenceOf(effective.fields)}`);
    return { revision: inForce.revision, values: effective.values };
  }
}
