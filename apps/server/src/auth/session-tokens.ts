import type { Clock } from '@plinth/engine';
import type { EndUserId, SessionTokenResponse, TenantId } from '@plinth/protocol';
import { decodeJwt, errors, type JWTPayload, jwtVerify, SignJWT } from 'jose';
import { z } from 'zod';
import { isTenantId } from '../tenants/tenant-id.js';
import type { DerivedKeys } from './derived-keys.js';

export interface Session {
  id: string;
  tenantId: TenantId;
  endUserId: EndUserId;
  agent: string | undefined;
  /** May see how the requests of its runs were made. */
  debug: boolean;
  /** Milliseconds since the Unix epoch. */
  expiresAt: number;
}

export type SessionVerdict = { ok: true; session: Session } | { ok: false; reason: 'expired' | 'invalid' };

const ALGORITHM = 'HS256';
const ISSUER = 'plinth';
const AUDIENCE = 'plinth:session';

const claims = z.object({
  tenant: z.string().min(1).max(200),
  sub: z.string().min(1).max(200),
  agent: z.string().min(1).max(64).optional(),
  scopes: z.array(z.string()).default([]),
  jti: z.string().min(1).max(100),
  iat: z.number(),
  exp: z.number(),
});

/**
 * Short-lived tokens for browsers: a JWT bound to one tenant and one end user. Each tenant's tokens are
 * signed with its own derived key, so the `tenant` claim, which picks the key, cannot be swapped.
 * Issuer, audience and algorithm are pinned: a token of another make, or "alg: none", is invalid.
 */
export class SessionTokens {
  constructor(
    private readonly keys: DerivedKeys,
    private readonly clock: Clock,
    private readonly newTokenId: () => string,
  ) {}

  async mint(
    tenant: TenantId,
    wanted: { endUserId: string; ttlSeconds: number; agent?: string | undefined; scopes?: 'debug'[] },
  ): Promise<SessionTokenResponse> {
    const issuedAt = Math.floor(this.clock.now() / 1000);
    const expiresAt = issuedAt + wanted.ttlSeconds;
    const token = await new SignJWT({
      tenant,
      ...(wanted.agent === undefined ? {} : { agent: wanted.agent }),
      ...((wanted.scopes ?? []).length === 0 ? {} : { scopes: wanted.scopes }),
    })
      .setProtectedHeader({ alg: ALGORITHM, typ: 'JWT' })
      .setIssuer(ISSUER)
      .setAudience(AUDIENCE)
      .setSubject(wanted.endUserId)
      .setJti(this.newTokenId())
      .setIssuedAt(issuedAt)
      .setExpirationTime(expiresAt)
      .sign(this.keys.key(tenant, 'session'));
    return { token, expiresAt: new Date(expiresAt * 1000).toISOString() };
  }

  /** Says `expired` only of a token whose signature is good: of a forged one nothing is said. */
  async verify(token: string): Promise<SessionVerdict> {
    const tenant = claimedTenant(token);
    if (tenant === null) return { ok: false, reason: 'invalid' };
    try {
      const { payload } = await jwtVerify(token, this.keys.key(tenant, 'session'), {
        algorithms: [ALGORITHM],
        issuer: ISSUER,
        audience: AUDIENCE,
        currentDate: new Date(this.clock.now()),
        requiredClaims: ['exp', 'iat', 'jti', 'sub'],
      });
      return sessionOf(payload);
    } catch (error) {
      if (error instanceof errors.JWTExpired) return { ok: false, reason: 'expired' };
      if (error instanceof errors.JOSEError) return { ok: false, reason: 'invalid' };
      throw error;
    }
  }
}

/** Whose key to check with. Not believed before the signature has been checked with that very key. */
function claimedTenant(token: string): TenantId | null {
  try {
    const { tenant } = decodeJwt(token);
    return typeof tenant === 'string' && isTenantId(tenant) ? tenant : null;
  } catch {
    return null;
  }
}

function sessionOf(payload: JWTPayload): SessionVerdict {
  const parsed = claims.safeParse(payload);
  if (!parsed.success) return { ok: false, reason: 'invalid' };
  const { jti, tenant, sub, agent, scopes, exp } = parsed.data;
  return {
    ok: true,
    session: {
      id: jti,
      tenantId: tenant as TenantId,
      endUserId: sub as EndUserId,
      agent,
      debug: scopes.includes('debug'),
      expiresAt: exp * 1000,
    },
  };
}
