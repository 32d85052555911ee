import { type ErrorCode, PlinthError } from '@plinth/protocol';
import type { AccessRefusal, AccessVerdict } from './access-tokens.js';

const CODE: Partial<Record<AccessRefusal, ErrorCode>> = {
  expired: 'token_expired',
  not_granted: 'forbidden',
  keys_unavailable: 'identity_provider_unavailable',
};

/** What is wrong with the token, and what to do. */
const DETAIL: Record<AccessRefusal, string> = {
  malformed:
    'This is no access token: send the signed JWT that your identity provider made, whole, of at most 8192 characters.',
  unknown_provider:
    'No identity provider is set up for the issuer and audience of this token. Compare its "iss" and "aud" with PUT /v1/identity-providers, and ask the provider for a token for that audience.',
  ambiguous_audience:
    'The audiences of this token belong to more than one configuration. Ask the provider for a token for your own API alone.',
  wrong_algorithm: 'This token is signed in a way that its identity provider is not set up for.',
  wrong_type: 'This JWT is no access token: the "typ" of its header is neither "JWT" nor "at+jwt".',
  unknown_key:
    'This token is signed with a key that its identity provider does not publish. Get a new token.',
  bad_signature: 'The signature of this token does not hold. Get a new token.',
  expired: 'This access token has expired. Get a new one from your identity provider.',
  not_yet_valid:
    'This access token is not valid yet. Compare the clock of the provider, or raise clockToleranceSeconds.',
  bad_claims: 'This access token lacks "exp" or "iat", or one of its claims has a wrong form.',
  claim_not_met:
    'This token does not say what the set-up of its identity provider requires (requiredClaims).',
  no_end_user:
    'The claim that names the end user is not in this token, or not a text of at most 200 characters (endUser.claim).',
  not_granted:
    'This access token does not give the scope "runs" by the set-up of its identity provider (scopes.runs).',
  keys_unavailable: 'The keys to check this token with cannot be had now. Try again in ten seconds.',
};

/** How a refused access token is answered. */
export function accessProblem(verdict: Extract<AccessVerdict, { ok: false }>): PlinthError {
  const { reason, detail } = verdict;
  const why = detail === undefined ? '' : ` The identity provider ${detail}.`;
  return new PlinthError(CODE[reason] ?? 'unauthenticated', DETAIL[reason] + why, { reason });
}
