import type { FetchLike } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { TenantId } from '@plinth/protocol';
import { fetch, type RequestInit } from 'undici';
import { guardedAgent } from '../../platform/outbound/guarded-agent.js';
import { parseUrl } from '../../platform/outbound/hops.js';
import type { OutboundPolicies } from '../../platform/outbound/outbound-client.js';

/** Carries the requests of one connection to an MCP server. */
export interface Carrier {
  fetch: FetchLike;
  /** Ends what is still open. */
  close(): void;
}

/**
 * Carries a tenant's requests to addresses that its policy allows, and to no other. Each connection has an agent of its own,
 * and each new socket is checked against the policy as it was at the request that wants it. Redirects are the caller's.
 */
export function guardedCarrier(policies: OutboundPolicies, tenant: TenantId): Carrier {
  let refuse: (target: { host: string; port: number; address: string }) => string | null = () =>
    'has no policy yet';
  const agent = guardedAgent({ policy: { refusal: (target) => refuse(target) } });
  return {
    async fetch(url, init) {
      const target = parseUrl(String(url));
      const policy = await policies.of(tenant);
      refuse = (wanted) => policy.refusal(wanted);
      const request = { ...(init as RequestInit), redirect: 'manual', dispatcher: agent } as const;
      return (await fetch(target, request)) as unknown as Response;
    },
    close: () => void agent.destroy().catch(() => {}),
  };
}
