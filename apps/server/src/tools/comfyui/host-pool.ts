import type { Clock, TenantConfigSource } from '@plinth/engine';
import type { TenantId } from '@plinth/protocol';
import { guardedAgent } from '../../platform/outbound/guarded-agent.js';
import type { OutboundPolicies } from '../../platform/outbound/outbound-client.js';
import { ComfyUiHost, HostProblem } from './comfyui-host.js';

/** The hosts that tools name, as one tenant may reach them. */
export class HostPool {
  constructor(
    private readonly config: TenantConfigSource,
    private readonly policies: OutboundPolicies,
    private readonly clock: Clock,
  ) {}

  /** Every connection to it is checked against the tenant's policy as it is now. */
  async at(tenant: TenantId, url: string): Promise<ComfyUiHost> {
    const policy = await this.policies.of(tenant);
    return new ComfyUiHost(url.replace(/\/+$/, ''), this.clock, guardedAgent({ policy }));
  }

  /** The hosts of a tool by URL, and the names that the tenant's configuration does not have (any more). */
  async resolve(
    tenant: TenantId,
    names: readonly string[],
  ): Promise<{ hosts: ComfyUiHost[]; unknown: string[] }> {
    const isUrl = (name: string) => name.includes('://');
    const known = names.every(isUrl) ? {} : (await this.config.current(tenant)).forAgent({}).comfyui.hosts;
    const urls = names.flatMap((name) => (isUrl(name) ? name : (known[name] ?? [])));
    return {
      hosts: await Promise.all([...new Set(urls)].map((url) => this.at(tenant, url))),
      unknown: names.filter((name) => !isUrl(name) && !Object.hasOwn(known, name)),
    };
  }
}

export interface RankedHosts {
  /** Those that answer, the one with the shortest queue first; of equal ones the one that was named first. */
  ranked: ComfyUiHost[];
  /** What keeps the others away, each reason once. Tells no address. */
  problems: string[];
}

/** Asks hosts how busy they are. */
export async function rankHosts(hosts: readonly ComfyUiHost[], signal: AbortSignal): Promise<RankedHosts> {
  const problems = new Set<string>();
  const asked = await Promise.all(
    hosts.map(async (host) => {
      try {
        return [{ host, length: await host.queueLength(signal) }];
      } catch (error) {
        if (!(error instanceof HostProblem)) throw error;
        problems.add(error.message);
        return [];
      }
    }),
  );
  const ranked = asked.flat().sort((one, other) => one.length - other.length);
  return { ranked: ranked.map(({ host }) => host), problems: [...problems] };
}
