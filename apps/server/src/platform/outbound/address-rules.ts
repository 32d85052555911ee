import ipaddr from 'ipaddr.js';

/** Global unicast, the only space of IPv6 that is routed on the internet (RFC 4291, 2.5.4). */
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3');

/**
 * Whether this IP address is one of the public internet. Everything else (loopback, private, link-local,
 * carrier-grade NAT, multicast, unspecified, documentation, and IPv6 forms that carry an IPv4 address: mapped,
 * 6to4, NAT64, Teredo) is not; nor is what is no address at all.
 */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.parse(address);
  if (parsed.range() !== 'unicast') return false;
  return parsed.kind() === 'ipv4' || (parsed as ipaddr.IPv6).match(GLOBAL_UNICAST);
}
