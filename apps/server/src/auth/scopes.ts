import { PlinthError } from '@plinth/protocol';
import type { Principal, Scope } from './principal.js';

/** @throws PlinthError `forbidden` when the principal does not have the scope. */
export function requireScope(principal: Principal, scope: Scope): void {
  if (principal.scopes.includes(scope)) return;
  throw new PlinthError(
    'forbidden',
    `This needs the scope "${scope}"; the ${describe(principal)} has ${principal.scopes.join(', ') || 'none'}.`,
    { scope, has: principal.scopes },
  );
}

/** How requests to the model were made is for back ends, and for pages whose token says so. @throws PlinthError `forbidden` */
export function requireDebug(principal: Principal): void {
  requireScope(principal, principal.kind === 'api_key' ? 'runs' : 'debug');
}

/** @throws PlinthError `forbidden` for session tokens: they are held by browsers and must not make credentials. */
export function requireApiKey(principal: Principal): void {
  if (principal.kind === 'api_key') return;
  throw new PlinthError(
    'forbidden',
    'This needs an API key, sent by your back-end; a session token cannot do it.',
  );
}

/** @throws PlinthError `forbidden` when a session token is bound to another agent. */
export function requireAgent(principal: Principal, agent: string): void {
  if (principal.agent === undefined || principal.agent === agent) return;
  throw new PlinthError(
    'forbidden',
    `This session token is for the agent "${principal.agent}" only, not "${agent}".`,
    { agent: principal.agent },
  );
}

function describe(principal: Principal): string {
  return principal.kind === 'api_key' ? `API key ${principal.id}` : 'session token';
}
