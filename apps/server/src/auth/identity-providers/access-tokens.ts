import { createHash } from 'node:crypto';
import type { Clock } from '@plinth/engine';
import type { TenantId } from '@plinth/protocol';
import { errors, type JWTPayload, type JWTVerifyOptions, jwtVerify } from 'jose';
import type { CheckedDefinition } from './check-identity-provider.js';
import { KeysUnavailable } from './fetch-keys.js';
import { type Grant, grantOf } from './grant-of.js';
import type { IdentityProviders } from './identity-providers.js';
import { type PeekedToken, peekToken } from './peek-token.js';
import type { KeyUser, ProviderKeys } from './provider-keys.js';

/** Why an access token is refused. Stable: the API's `facts.reason` and a label of the metrics. */
export type AccessRefusal =
  | 'malformed'
  | 'unknown_provider'
  | 'ambiguous_audience'
  | 'wrong_algorithm'
  | 'wrong_type'
  | 'unknown_key'
  | 'bad_signature'
  | 'expired'
  | 'not_yet_valid'
  | 'bad_claims'
  | 'claim_not_met'
  | 'no_end_user'
  | 'not_granted'
  | 'keys_unavailable';

export interface AccessSession extends Grant {
  id: string;
  tenantId: TenantId;
  /** Key of the identity provider. */
  provider: string;
  /** Milliseconds since the Unix epoch. */
  expiresAt: number;
}

export type AccessVerdict =
  | { ok: true; session: AccessSession }
  /** `tenantId` is null where no tenant is known. `detail` goes on after "The identity provider". */
  | { ok: false; reason: AccessRefusal; tenantId: TenantId | null; detail?: string };

/** `typ` of access tokens (RFC 9068), and what nearly all providers write. Absent is fine; another one is another thing. */
const TYPES: ReadonlySet<string> = new Set(['jwt', 'at+jwt']);

/** Access tokens that the identity providers of tenants have made for their people. */
export class AccessTokens {
  constructor(
    private readonly providers: Pick<IdentityProviders, 'findFor'>,
    private readonly keys: Pick<ProviderKeys, 'current' | 'after'>,
    private readonly clock: Clock,
  ) {}

  /** What a token claims is not believed: it only says with which tenant's configuration and keys to check it. */
  async verify(token: string): Promise<AccessVerdict> {
    const peeked = peekToken(token);
    if (peeked === null) return { ok: false, reason: 'malformed', tenantId: null };
    const found = await this.providers.findFor(peeked.issuer, peeked.audiences);
    if (found.kind === 'unknown') return { ok: false, reason: 'unknown_provider', tenantId: null };
    if (found.kind === 'ambiguous') return { ok: false, reason: 'ambiguous_audience', tenantId: null };
    const { tenantId, provider } = found;
    const refused = (reason: AccessRefusal) => ({ ok: false as const, reason, tenantId });
    try {
      const proven = await this.#prove(token, peeked, found);
      if (typeof proven === 'string') return refused(proven);
      const granting = grantOf(provider.definition, proven);
      if (!granting.ok) return refused(granting.reason);
      const expiresAt = expiryOf(provider.definition, proven);
      const session = { id: idOf(token, proven), tenantId, provider: provider.key, expiresAt };
      return { ok: true, session: { ...session, ...granting.grant } };
    } catch (error) {
      if (error instanceof KeysUnavailable) return { ...refused('keys_unavailable'), detail: error.message };
      if (error instanceof errors.JOSEError) return refused(refusalOf(error));
      throw error;
    }
  }

  async #prove(token: string, peeked: PeekedToken, user: KeyUser): Promise<JWTPayload | AccessRefusal> {
    const { definition } = user.provider;
    if (!(definition.algorithms as string[]).includes(peeked.algorithm)) return 'wrong_algorithm';
    const { payload, protectedHeader } = await jwtVerify(token, (header) => this.#keyFor(header, user), {
      ...optionsOf(definition, peeked),
      currentDate: new Date(this.clock.now()),
    });
    const { typ } = protectedHeader;
    if (typ !== undefined && !TYPES.has(typ.toLowerCase().replace(/^application\//, ''))) return 'wrong_type';
    return payload;
  }

  async #keyFor(
    header: Parameters<Awaited<ReturnType<ProviderKeys['current']>>['keyFor']>[0],
    user: KeyUser,
  ) {
    const known = await this.keys.current(user);
    try {
      return await known.keyFor(header);
    } catch (error) {
      if (!(error instanceof errors.JWKSNoMatchingKey)) throw error;
      return (await this.keys.after(user, known)).keyFor(header);
    }
  }
}

/** A token without `aud` was found by its client, which is the configured audience then. */
function optionsOf(definition: CheckedDefinition, { hasAudience }: PeekedToken): JWTVerifyOptions {
  const { issuer, audience, algorithms, clockToleranceSeconds, maxAgeSeconds } = definition;
  return {
    algorithms,
    issuer,
    requiredClaims: ['exp', 'iat'],
    clockTolerance: clockToleranceSeconds,
    maxTokenAge: maxAgeSeconds,
    ...(hasAudience ? { audience } : {}),
  };
}

/** The first whole second at which `jwtVerify` refuses the token, so that a stream ends when a new request would be. */
function expiryOf(definition: CheckedDefinition, { exp = 0, iat = 0 }: JWTPayload): number {
  const { clockToleranceSeconds, maxAgeSeconds } = definition;
  const tooOld = Math.floor(iat + maxAgeSeconds) + 1;
  return (Math.ceil(Math.min(exp, tooOld)) + clockToleranceSeconds) * 1000;
}

/** Names the token in what is written of its use, and cannot be turned back into it. */
function idOf(token: string, { jti }: JWTPayload): string {
  if (typeof jti === 'string' && /^[\x21-\x7e]{1,100}$/.test(jti)) return jti;
  return createHash('sha256').update(token).digest('hex').slice(0, 32);
}

/** Claims are looked at when the signature is good: of a forged token nothing is said but that. */
function refusalOf(error: errors.JOSEError): AccessRefusal {
  if (error instanceof errors.JWTExpired) return 'expired';
  if (error instanceof errors.JWTClaimValidationFailed) {
    const isOfTime = error.claim === 'nbf' || error.claim === 'iat';
    return isOfTime && error.reason === 'check_failed' ? 'not_yet_valid' : 'bad_claims';
  }
  if (error instanceof errors.JWKSNoMatchingKey || error instanceof errors.JWKSMultipleMatchingKeys)
    return 'unknown_key';
  if (error instanceof errors.JOSEAlgNotAllowed) return 'wrong_algorithm';
  if (error instanceof errors.JWSSignatureVerificationFailed) return 'bad_signature';
  return 'malformed';
}
