import { isIPv4 } from 'node:net';
import { OutboundError } from './outbound-failure.js';

/** One request on the wire. A redirect makes another one of it. */
export interface Hop {
  url: URL;
  method: string;
  /** Lower-case names. */
  headers: Record<string, string>;
  body: string | Uint8Array | null;
}

const LONGEST_URL = 8192;
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);
/** What goes along to another origin. Anything else may be a credential: no list of their names is complete. */
const HARMLESS: ReadonlySet<string> = new Set([
  'accept',
  'accept-language',
  'accept-encoding',
  'user-agent',
  'content-type',
]);
const ABOUT_THE_BODY: ReadonlySet<string> = new Set(['content-type', 'content-language', 'content-encoding']);

/**
 * Reads a URL for a request.
 *
 * @param base for a `Location`, which may be relative
 * @throws OutboundError `invalid_request`: not http or https, with a user name, or an IPv4 address that is not
 *   written in the usual four numbers
 */
export function parseUrl(text: string, base?: URL): URL {
  if (text.length > LONGEST_URL || !URL.canParse(text, base?.href))
    throw invalid('is named by something that is not a URL');
  const url = new URL(text, base);
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    throw invalid('has a URL that is neither http nor https');
  if (url.username !== '' || url.password !== '')
    throw invalid('has a URL with a user name or password in it');
  // 2130706433, 0x7f.1 and 0177.0.0.1 are 127.0.0.1 too. Nobody writes them for a good reason.
  if (isIPv4(url.hostname) && url.hostname !== base?.hostname && !text.includes(url.hostname))
    throw invalid('has a URL whose address is written in an unusual way');
  url.hash = '';
  return url;
}

/**
 * The request that a redirect asks for; null when this answer is none.
 *
 * A POST becomes a GET after 301, 302 and 303, as in the Fetch standard. Another origin gets no header that could
 * be a credential, and no body.
 *
 * @throws OutboundError `bad_redirect`
 */
export function nextHop(hop: Hop, status: number, location: string | undefined): Hop | null {
  if (!REDIRECTS.has(status)) return null;
  if (location === undefined) throw bad('redirects without saying where to');
  const url = redirectUrl(location, hop.url);
  if (hop.url.protocol === 'https:' && url.protocol === 'http:') throw bad('redirects from https to http');
  const becomesGet = status === 303 ? hop.method !== 'HEAD' : status < 303 && hop.method === 'POST';
  const isElsewhere = url.origin !== hop.url.origin;
  const body = becomesGet ? null : hop.body;
  if (isElsewhere && body !== null) throw bad('redirects a request with a body to another host');
  const headers = Object.entries(hop.headers).filter(
    ([name]) => (!isElsewhere || HARMLESS.has(name)) && (body !== null || !ABOUT_THE_BODY.has(name)),
  );
  return { url, method: becomesGet ? 'GET' : hop.method, headers: Object.fromEntries(headers), body };
}

function redirectUrl(location: string, base: URL): URL {
  try {
    return parseUrl(location, base);
  } catch (error) {
    throw error instanceof OutboundError ? bad(`redirects to what ${error.message}`) : error;
  }
}

const invalid = (message: string) => new OutboundError('invalid_request', message);
const bad = (message: string) => new OutboundError('bad_redirect', message);
