import { decodeJwt, decodeProtectedHeader } from 'jose';

/** What a token says of itself before anything of it is proven: enough to find whose keys to check it with. */
export interface PeekedToken {
  issuer: string;
  /** Those that it names, or the client that it was made for when it names none. */
  audiences: string[];
  /** Whether they are of `aud`. */
  hasAudience: boolean;
  algorithm: string;
}

/** Characters. Providers that put groups into their tokens come to some 6000; Node takes no header beyond 16 KiB. */
const LONGEST_TOKEN = 8192;
const MOST_AUDIENCES = 20;
/** As long as a configured one may be: what is longer is nobody's. */
const LONGEST_NAME = 300;

/** True for what names an address as its issuer, as identity providers do. A session token names this platform. */
export function isForeignToken(token: string): boolean {
  const { iss } = tryTo(() => decodeJwt(token)) ?? {};
  return typeof iss === 'string' && /^https?:\/\//.test(iss);
}

/** Null when this cannot be a token of an identity provider: not a JWT, too long, without issuer or audience. */
export function peekToken(token: string): PeekedToken | null {
  if (token.length > LONGEST_TOKEN) return null;
  const header = tryTo(() => decodeProtectedHeader(token));
  const claims = tryTo(() => decodeJwt(token));
  if (typeof header?.alg !== 'string' || !isName(claims?.iss)) return null;
  const audiences = audiencesOf(claims);
  if (audiences.length === 0 || audiences.length > MOST_AUDIENCES || !audiences.every(isName)) return null;
  const hasAudience = claims.aud !== undefined;
  return { issuer: claims.iss, audiences: audiences as string[], hasAudience, algorithm: header.alg };
}

/**
 * Access tokens of Cognito have no `aud`, and name their client instead. Where there is an `aud`, the client does
 * not count: it may be one of a wholly different API.
 */
function audiencesOf({ aud, client_id: client }: Record<string, unknown>): unknown[] {
  if (aud === undefined) return client === undefined ? [] : [client];
  return Array.isArray(aud) ? aud : [aud];
}

const isName = (value: unknown): value is string =>
  typeof value === 'string' && value.length > 0 && value.length <= LONGEST_NAME && !value.includes('\0');

function tryTo<T>(decode: () => T): T | null {
  try {
    return decode();
  } catch {
    return null;
  }
}
