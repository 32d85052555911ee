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

/** @throws PlinthError `forbidden` for tokens of people: they are held by browsers and must not make credentials. */
export function requireApiKey(principal: Principal): void {
  if (principal.kind === 'api_key') return;
  throw new PlinthError(
    'forbidden',
    'This needs an API key, sent by your back-end; a token of a person cannot do it.',
  );
}

/** @throws PlinthError `forbidden` when a token is bound to other agents. */
export function requireAgent(principal: Principal, agent: string): void {
  const { agents } = principal;
  if (agents === undefined || agents.includes(agent)) return;
  const named = agents.map((one) => `"${one}"`).join(', ') || 'none';
  throw new PlinthError(
    'forbidden',
    `This ${describe(principal)} is for these agents only: ${named}; not for "${agent}".`,
    { agents },
  );
}

function describe(principal: Principal): string {
  if (principal.kind === 'api_key') return `API key ${principal.id}`;
  return principal.provider === undefined ? 'session token' : 'access token';
}
