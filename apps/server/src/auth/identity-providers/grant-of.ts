import type { EndUserId } from '@plinth/protocol';
import type { CheckedDefinition } from './check-identity-provider.js';
import { type Claims, claimAt, holds, textsOf } from './read-claims.js';

/** What a proven token lets its person do: never more than a session token may. */
export interface Grant {
  endUserId: EndUserId;
  /** Undefined: of any agent. */
  agents: string[] | undefined;
  debug: boolean;
}

export type Granting =
  | { ok: true; grant: Grant }
  | { ok: false; reason: 'claim_not_met' | 'no_end_user' | 'not_granted' };

/** The same bounds as for ids that back ends name; a lone surrogate would become another text in the database. */
const END_USER_ID = /^[^\p{Cc}\p{Cs}]{1,200}$/u;
/** Of agents that a claim names; what comes after is not looked at. */
const MOST_AGENTS = 100;

/** What the claims of a token whose signature, issuer, audience and times are good grant by this definition. */
export function grantOf(definition: CheckedDefinition, claims: Claims): Granting {
  const { requiredClaims, endUser, agents, scopes } = definition;
  if (!requiredClaims.every((condition) => holds(claims, condition)))
    return { ok: false, reason: 'claim_not_met' };
  const person = claimAt(claims, endUser.claim);
  if (typeof person !== 'string' || person === '') return { ok: false, reason: 'no_end_user' };
  const endUserId = endUser.prefix + person;
  if (!END_USER_ID.test(endUserId)) return { ok: false, reason: 'no_end_user' };
  if (scopes.runs !== true && !holds(claims, scopes.runs)) return { ok: false, reason: 'not_granted' };
  return {
    ok: true,
    grant: {
      endUserId: endUserId as EndUserId,
      agents: agentsOf(agents, claims),
      debug: typeof scopes.debug === 'boolean' ? scopes.debug : holds(claims, scopes.debug),
    },
  };
}

function agentsOf(agents: CheckedDefinition['agents'], claims: Claims): string[] | undefined {
  if (agents === 'any') return undefined;
  if (Array.isArray(agents)) return agents;
  return textsOf(claimAt(claims, agents.claim)).slice(0, MOST_AGENTS);
}
