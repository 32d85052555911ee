import { PlinthError, type TenantId } from '@plinth/protocol';
import { looksLikeApiKey } from './api-key.js';
import type { ApiKeys } from './api-keys.js';
import { accessProblem } from './identity-providers/access-problem.js';
import type { AccessRefusal, AccessTokens } from './identity-providers/access-tokens.js';
import { isForeignToken } from './identity-providers/peek-token.js';
import { type Principal, SCOPE } from './principal.js';
import type { SessionTokens } from './session-tokens.js';

const BEARER = /^Bearer +(\S+) *$/i;

/** Finds out who makes a request, from its `Authorization` header: an API key, a session token, or the access token of an identity provider. */
export class Authenticator {
  constructor(
    private readonly apiKeys: Pick<ApiKeys, 'find'>,
    private readonly sessionTokens: Pick<SessionTokens, 'verify'>,
    private readonly accessTokens: Pick<AccessTokens, 'verify'>,
    private readonly onAccessRefused: (tenant: TenantId | null, reason: AccessRefusal) => void = () => {},
  ) {}

  /**
   * @throws PlinthError `unauthenticated`; `token_expired` when a new token is all that is needed; `forbidden` and
   *   `identity_provider_unavailable` for access tokens
   */
  async authenticate(authorization: string | undefined): Promise<Principal> {
    if (authorization === undefined || authorization === '') {
      throw new PlinthError(
        'unauthenticated',
        'Send an API key, a session token or an access token: "Authorization: Bearer …".',
      );
    }
    const credential = BEARER.exec(authorization)?.[1];
    if (credential === undefined) {
      throw new PlinthError(
        'unauthenticated',
        'The Authorization header must be "Bearer", a space and one token.',
      );
    }
    if (looksLikeApiKey(credential)) return this.#byApiKey(credential);
    return isForeignToken(credential) ? this.#byAccessToken(credential) : this.#bySessionToken(credential);
  }

  async #byApiKey(credential: string): Promise<Principal> {
    const found = await this.apiKeys.find(credential);
    if (!found.ok)
      throw new PlinthError('unauthenticated', API_KEY_PROBLEM[found.reason], { reason: found.reason });
    const { tenantId, apiKey } = found;
    return {
      tenantId,
      viewer: { endUserId: null },
      kind: 'api_key',
      id: apiKey.id,
      scopes: apiKey.scopes,
      ...(apiKey.expiresAt === null ? {} : { expiresAt: apiKey.expiresAt }),
    };
  }

  async #bySessionToken(credential: string): Promise<Principal> {
    const verdict = await this.sessionTokens.verify(credential);
    if (!verdict.ok && verdict.reason === 'expired') {
      throw new PlinthError(
        'token_expired',
        'This session token has expired. Ask your back-end for a new one.',
      );
    }
    if (!verdict.ok)
      throw new PlinthError(
        'unauthenticated',
        'This is neither an API key nor a session token of this server, nor a token of an identity provider.',
      );
    const { tenantId, endUserId, id, agent, debug, expiresAt } = verdict.session;
    return {
      tenantId,
      viewer: { endUserId },
      kind: 'session',
      id,
      scopes: scopesOf(debug),
      ...(agent === undefined ? {} : { agents: [agent] }),
      expiresAt,
    };
  }

  async #byAccessToken(credential: string): Promise<Principal> {
    const verdict = await this.accessTokens.verify(credential);
    if (!verdict.ok) {
      this.onAccessRefused(verdict.tenantId, verdict.reason);
      throw accessProblem(verdict);
    }
    const { tenantId, endUserId, id, provider, agents, debug, expiresAt } = verdict.session;
    return {
      tenantId,
      viewer: { endUserId },
      kind: 'session',
      provider,
      id,
      scopes: scopesOf(debug),
      ...(agents === undefined ? {} : { agents }),
      expiresAt,
    };
  }
}

const scopesOf = (debug: boolean) => (debug ? [SCOPE.runs, SCOPE.debug] : [SCOPE.runs]);

const API_KEY_PROBLEM = {
  unknown: 'There is no such API key.',
  expired: 'This API key has expired. Make a new one.',
  revoked: 'This API key was revoked. Make a new one.',
} as const;
