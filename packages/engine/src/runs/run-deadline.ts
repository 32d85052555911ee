import type { TenantId } from '@plinth/protocol';
import type { AgentVersion } from '../agent-catalog.js';
import type { TenantConfigSource } from '../config/tenant-config-source.js';

/** When a run that starts now has used up its time, waits included, by the configuration in force. */
export async function runDeadline(
  config: TenantConfigSource,
  tenant: TenantId,
  { definition }: AgentVersion,
  now: number,
): Promise<number> {
  const { budgets } = (await config.current(tenant, definition.config)).values;
  return now + budgets.maxRunSeconds * 1000;
}
