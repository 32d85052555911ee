import type { TenantId } from '@plinth/protocol';
import type { TenantConfigs } from '../../config/tenant-configs.js';
import { AllowList } from './allow-list.js';
import type { OutboundPolicies } from './outbound-client.js';
import { OutboundPolicy } from './outbound-policy.js';

/** The policy of each tenant, from its configuration as it is now and what the operator has set. */
export class TenantPolicies implements OutboundPolicies {
  readonly #operator: AllowList;
  readonly #tenantMay: AllowList;

  /** @throws Error when an entry is not of the form of one */
  constructor(
    private readonly configs: Pick<TenantConfigs, 'current'>,
    operator: { allow: readonly string[]; tenantMayAllow: readonly string[] },
  ) {
    this.#operator = new AllowList(operator.allow);
    this.#tenantMay = new AllowList(operator.tenantMayAllow);
  }

  async of(tenant: TenantId): Promise<OutboundPolicy> {
    const { effective } = await this.configs.current(tenant);
    return new OutboundPolicy({
      operator: this.#operator,
      tenantMay: this.#tenantMay,
      tenant: new AllowList(effective.outbound.allow),
    });
  }
}
