import { type CryptoKey, createLocalJWKSet, type JWK, type JWTHeaderParameters } from 'jose';

/** The public keys of a provider, as they came. */
export interface KeySet {
  /** @throws JOSEError JWKSNoMatchingKey, JWKSMultipleMatchingKeys, or another one when the key cannot be used */
  keyFor(header: JWTHeaderParameters): Promise<CryptoKey>;
  /** For a person to compare. */
  names: { kid: string | null; kty: string; alg: string | null }[];
}

const MOST_KEYS = 100;
/** Kinds with a public half. A symmetric key (`oct`) that is published signs nothing. */
const PUBLIC_KINDS: ReadonlySet<unknown> = new Set(['RSA', 'EC', 'OKP']);

/** Reads a JWKS document (RFC 7517, 5). Null when it is none, or has no key that could prove anything. */
export function readKeySet(document: unknown): KeySet | null {
  const keys = typeof document === 'object' && document !== null && 'keys' in document ? document.keys : null;
  if (!Array.isArray(keys)) return null;
  const usable = keys.filter(isPublicKey).slice(0, MOST_KEYS);
  if (usable.length === 0) return null;
  const find = createLocalJWKSet({ keys: usable });
  return {
    keyFor: (header) => find(header),
    names: usable.map(({ kid, kty = '', alg }) => ({ kid: kid ?? null, kty, alg: alg ?? null })),
  };
}

/** A private key that is published proves nothing any more: everybody has it. */
function isPublicKey(value: unknown): value is JWK {
  if (typeof value !== 'object' || value === null) return false;
  const { kty, kid, alg, d } = value as Record<string, unknown>;
  const isText = (text: unknown) => text === undefined || typeof text === 'string';
  return PUBLIC_KINDS.has(kty) && d === undefined && isText(kid) && isText(alg);
}
