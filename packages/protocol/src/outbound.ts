import { z } from 'zod';

const PORT = '(?::([1-9][0-9]{0,4}))?';
const HOST_AND_PORT = new RegExp(
  `^(?=[^:]{1,253}(?::|$))[a-z0-9_](?:[a-z0-9_-]*[a-z0-9_])?(?:\\.[a-z0-9_](?:[a-z0-9_-]*[a-z0-9_])?)*${PORT}$`,
  'i',
);
const BRACKETED = new RegExp(`^\\[([0-9a-f:.]+)\\]${PORT}$`, 'i');

function isAllowEntry(text: string): boolean {
  if (z.cidrv4().safeParse(text).success || z.cidrv6().safeParse(text).success) return true;
  const bracketed = BRACKETED.exec(text);
  if (bracketed) return z.ipv6().safeParse(bracketed[1]).success && isPort(bracketed[2]);
  const named = HOST_AND_PORT.exec(text);
  if (!named || !isPort(named[1])) return false;
  const host = text.replace(/:\d+$/, '');
  // What is all digits and dots is meant as an address, and must be a whole one.
  return !/^[\d.]+$/.test(host) || z.ipv4().safeParse(host).success;
}

const isPort = (text: string | undefined) => text === undefined || Number(text) <= 65_535;

/** One destination: `host`, `host:port`, an IP address (IPv6 in brackets) with or without a port, or a CIDR range. */
export const allowEntry = z
  .string()
  .max(280)
  .refine(
    isAllowEntry,
    'must be host, host:port, an address ([::1] for IPv6) or a range such as 10.1.0.0/16',
  );

export const outboundConfig = z.strictObject({
  allow: z
    .array(allowEntry)
    .max(100)
    .default([])
    .describe(
      'Where tools may connect to beyond public addresses on the usual ports. An address that is not public also needs the leave of the operator. Default none, at most 100.',
    ),
});
