import { isIP } from 'node:net';
import {
  type FieldError,
  type IdentityProviderDefinition,
  identityProviderDefinition,
  identityProviderKey,
} from '@plinth/protocol';
import { isPublicAddress } from '../../platform/outbound/address-rules.js';
import { plainHost } from '../../platform/outbound/allow-list.js';
import { fieldErrorsOf } from '../../tenants/field-errors.js';

/** A definition with nothing left open: the prefix of its end users is named. */
export type CheckedDefinition = IdentityProviderDefinition & { endUser: { prefix: string } };

export type CheckedIdentityProvider =
  | { ok: true; definition: CheckedDefinition }
  | { ok: false; fields: FieldError[] };

/** Checks a provider's key and definition, and fills in what was left out. */
export function checkIdentityProvider(key: string, raw: unknown): CheckedIdentityProvider {
  const checkedKey = identityProviderKey.safeParse(key);
  const parsed = identityProviderDefinition.safeParse(raw);
  const fields = [
    ...(checkedKey.success
      ? []
      : fieldErrorsOf(checkedKey.error).map((field) => ({ ...field, path: 'key' }))),
    ...(parsed.success ? addressErrors(parsed.data) : fieldErrorsOf(parsed.error)),
  ];
  if (!parsed.success || fields.length > 0) return { ok: false, fields };
  const { endUser } = parsed.data;
  return {
    ok: true,
    definition: { ...parsed.data, endUser: { ...endUser, prefix: endUser.prefix ?? `${key}:` } },
  };
}

/**
 * What is wrong with an address that keys come from; null when it will do. Whoever changes the keys on their way
 * makes tokens for everybody, so it is https. A host that only a private network knows may have plain http: the
 * operator's leave is needed to reach it at all.
 */
export function keyAddressProblem(text: string): string | null {
  if (!URL.canParse(text)) return 'must be an https URL';
  const { protocol, hostname, username, password, hash } = new URL(text);
  if (username !== '' || password !== '' || hash !== '')
    return 'must be a URL without user name, password and fragment';
  if (protocol === 'https:' || (protocol === 'http:' && isPrivateHost(plainHost(hostname)))) return null;
  return 'must be an https URL; only hosts of a private network may have plain http';
}

function addressErrors({ issuer, jwksUrl }: IdentityProviderDefinition): FieldError[] {
  const problems = { issuer: issuerProblem(issuer), jwksUrl: jwksUrl ? keyAddressProblem(jwksUrl) : null };
  return Object.entries(problems).flatMap(([path, message]) => (message === null ? [] : [{ path, message }]));
}

function issuerProblem(issuer: string): string | null {
  return keyAddressProblem(issuer) ?? (issuer.includes('?') ? 'must be a URL without a query' : null);
}

/** Names that no public host has: addresses of private networks, reserved domains, and names of one word. */
function isPrivateHost(host: string): boolean {
  if (isIP(host) !== 0) return !isPublicAddress(host);
  return !host.includes('.') || /\.(localhost|local|internal|home\.arpa)$/.test(host);
}
