import type { Viewer } from '@plinth/engine';
import type { TenantId } from '@plinth/protocol';

/** What a credential may do. A session token always has `runs`, and `debug` where it was minted with it. */
export const SCOPE = {
  /** Threads, runs, answers, artifacts of the tenant, and session tokens for its end users. */
  runs: 'runs',
  /** Everything that operations staff do: keys, agents, tools, configuration. */
  admin: 'admin',
  /** For a session token: to see how the requests of its own runs were made. A key may with `runs`. */
  debug: 'debug',
} as const;
export type Scope = (typeof SCOPE)[keyof typeof SCOPE];

export function isScope(value: string): value is Scope {
  return (Object.values(SCOPE) as string[]).includes(value);
}

/** Who makes a request, as its credential proves it. */
export interface Principal {
  tenantId: TenantId;
  /** An API key sees every end user of its tenant; a session token only its own. */
  viewer: Viewer;
  kind: 'api_key' | 'session';
  /** Id of the key, or the token's own id (`jti`). */
  id: string;
  scopes: readonly Scope[];
  /** Set when the session token starts runs of this agent only. */
  agent?: string;
  /** Milliseconds since the Unix epoch. Streams are closed then. */
  expiresAt?: number;
}
