import type { Clock, TenantConfigSource } from '@plinth/engine';
import type { TenantId } from '@plinth/protocol';
import type { Dispatcher } from 'undici';
import { ComfyUiHost } from './comfyui-host.js';

/** The hosts that tools name. */
export class HostPool {
  constructor(
    private readonly config: TenantConfigSource,
    private readonly clock: Clock,
    private readonly dispatcher?: Dispatcher,
  ) {}

  at(url: string): ComfyUiHost {
    return new ComfyUiHost(url.replace(/\/+$/, ''), this.clock, this.dispatcher);
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
      hosts: [...new Set(urls)].map((url) => this.at(url)),
      unknown: names.filter((name) => !isUrl(name) && !Object.hasOwn(known, name)),
    };
  }
}

/** The hosts that answer, the one with the shortest queue first; of equal ones the one that was named first. */
export async function rankHosts(hosts: readonly ComfyUiHost[], signal: AbortSignal): Promise<ComfyUiHost[]> {
  const asked = await Promise.all(
    hosts.map(async (host) => ({ host, length: await host.queueLength(signal).catch(() => null) })),
  );
  signal.throwIfAborted();
  return asked
    .filter((one): one is { host: ComfyUiHost; length: number } => one.length !== null)
    .sort((one, other) => one.length - other.length)
    .map(({ host }) => host);
}
