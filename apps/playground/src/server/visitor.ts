import { createHash, randomBytes } from 'node:crypto';

/**
 * Who a visitor is. A real business has accounts; this one knows a browser by a random cookie.
 * The end user's id goes to Plinth, into events and logs, so it must not be enough to act as that
 * person: it is a digest of the cookie, and the cookie itself leaves this backend in one header only.
 */
export const VISITOR_COOKIE = 'poster_studio_user';

const SECRET = /^[A-Za-z0-9_-]{43}$/;
const MAX_AGE_SECONDS = 180 * 24 * 60 * 60;

export type Visitor = { secret: string; endUserId: string };

/** The visitor of a `Cookie` header, or a new one when there is none (or one that we did not make). */
export function identifyVisitor(cookieHeader: string | undefined): Visitor {
  const known = readCookie(cookieHeader ?? '', VISITOR_COOKIE);
  const secret = known !== null && SECRET.test(known) ? known : randomBytes(32).toString('base64url');
  return { secret, endUserId: `visitor_${createHash('sha256').update(secret).digest('hex').slice(0, 24)}` };
}

/** The `Set-Cookie` header that keeps the visitor. Written on every visit, so that it lasts while it is used. */
export function visitorCookie(visitor: Visitor, secure: boolean): string {
  const attributes = ['Path=/playground', `Max-Age=${MAX_AGE_SECONDS}`, 'HttpOnly', 'SameSite=Lax'];
  if (secure) attributes.push('Secure');
  return [`${VISITOR_COOKIE}=${visitor.secret}`, ...attributes].join('; ');
}

function readCookie(header: string, name: string): string | null {
  for (const pair of header.split(';')) {
    const [key, value] = pair.trim().split('=', 2);
    if (key === name && value !== undefined) return value;
  }
  return null;
}
