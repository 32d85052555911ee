import { describe, expect, test } from 'vitest';
import { isPublicAddress } from './address-rules.js';

describe('addresses of the public internet', () => {
  test.each(['8.8.8.8', '1.1.1.1', '93.184.215.14', '2606:4700:4700::1111', '2a00:1450:4001:80b::200e'])(
    '%s is one',
    (address) => expect(isPublicAddress(address)).toBe(true),
  );

  test.each([
    ['loopback', '127.0.0.1'],
    ['loopback', '127.255.255.254'],
    ['loopback', '::1'],
    ['unspecified', '0.0.0.0'],
    ['this network', '0.1.2.3'],
    ['unspecified', '::'],
    ['private', '10.0.0.1'],
    ['private', '172.16.0.1'],
    ['private', '172.31.255.255'],
    ['private', '192.168.1.1'],
    ['unique local', 'fd00::1'],
    ['link-local, where clouds keep credentials', '169.254.169.254'],
    ['link-local', 'fe80::1'],
    ['site-local', 'fec0::1'],
    ['carrier-grade NAT', '100.64.0.1'],
    ['carrier-grade NAT, where a cloud keeps credentials', '100.100.100.200'],
    ['multicast', '224.0.0.1'],
    ['multicast', 'ff02::1'],
    ['broadcast', '255.255.255.255'],
    ['reserved', '240.0.0.1'],
    ['protocol assignments', '192.0.0.192'],
    ['documentation', '192.0.2.1'],
    ['documentation', '2001:db8::1'],
    ['benchmarks', '198.18.0.1'],
    ['6to4 relays', '192.88.99.1'],
    ['IPv4-mapped loopback', '::ffff:127.0.0.1'],
    ['IPv4-mapped loopback in hex', '::ffff:7f00:1'],
    ['IPv4-mapped public', '::ffff:8.8.8.8'],
    ['IPv4-compatible loopback', '::127.0.0.1'],
    ['IPv4-translated', '::ffff:0:127.0.0.1'],
    ['NAT64 of loopback', '64:ff9b::7f00:1'],
    ['local NAT64', '64:ff9b:1::7f00:1'],
    ['6to4 of loopback', '2002:7f00:1::'],
    ['Teredo', '2001:0:7f00:1::1'],
    ['discard', '100::1'],
    ['no address', 'localhost'],
    ['no address', ''],
  ])('%s is not: %s', (_what, address) => expect(isPublicAddress(address)).toBe(false));
});
