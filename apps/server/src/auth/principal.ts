import type { Viewer } from '@plinth/engine';
import type { TenantId } from '@plinth/protocol';

/** What a credential may do. A token of a person always has `runs`, and `debug` where it was made with it. */
export const SCOPE = {
  /** Threads, runs, answers, artifacts of the tenant, and session tokens for its end users. */
  runs: 'runs',
  /** Everything that operations staff do: keys, agents, tools, configuration. */
  admin: 'admin',
  /** For a token of a person: to see how the requests of its own runs were made. A key may with `runs`. */
  debug: 'debug',
} as const;
export type Scope = (typeof SCOPE)[keyof typeof SCOPE];

export function isScope(value: string): value is Scope {
  return (Object.values(SCOPE) as string[]).includes(value);
}

/** Who makes a request, as its credential proves it. */
export interface Principal {
  tenantId: TenantId;
  /** An API key sees every end user of its tenant; a token of a person only that one. */
  viewer: Viewer;
  /** `session`: a token of one end user, whoever made it. */
  kind: 'api_key' | 'session';
  /** Key of the identity provider that made the token. Not set: this platform did. */
  provider?: string;
  /** Id of the key, or the token's own id (`jti`). */
  id: string;
  scopes: readonly Scope[];
  /** Set when the token starts runs of these agents only. */
  agents?: readonly string[];
  /** Milliseconds since the Unix epoch. Streams are closed then. */
  expiresAt?: number;
}
