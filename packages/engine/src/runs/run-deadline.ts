import type { AgentVersion } from '../agent-catalog.js';
import type { ConfigInForce } from '../config/tenant-config-source.js';

/** When a run that starts now has used up its time, waits included, by the configuration in force. */
export function runDeadline(config: ConfigInForce, { definition }: AgentVersion, now: number): number {
  return now + config.forAgent(definition.config).budgets.maxRunSeconds * 1000;
}
