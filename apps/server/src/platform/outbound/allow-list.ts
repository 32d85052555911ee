import { allowEntry } from '@plinth/protocol';
import ipaddr from 'ipaddr.js';

/** Where a connection is about to go: the host as the URL names it, and the address that it has. */
export interface Target {
  host: string;
  port: number;
  address: string;
}

type Entry = { port: number | null } & (
  | { kind: 'host'; host: string }
  | { kind: 'range'; range: [ipaddr.IPv4 | ipaddr.IPv6, number] }
);

/** Destinations that somebody has named. A named host covers whatever address it has; a range covers any host in it. */
export class AllowList {
  readonly #entries: Entry[];

  /** @throws Error when an entry has not the form of `allowEntry` */
  constructor(entries: readonly string[]) {
    this.#entries = entries.map((entry) => entryOf(allowEntry.parse(entry)));
  }

  covers(target: Target): boolean {
    return this.#entries.some(
      (entry) => (entry.port === null || entry.port === target.port) && isIn(entry, target),
    );
  }

  /** Like `covers`, by entries that name this very port. */
  opensPort(target: Target): boolean {
    return this.#entries.some((entry) => entry.port === target.port && isIn(entry, target));
  }
}

/** A host name as it is compared: lower case, without the dot of the root and the brackets of IPv6. */
export function plainHost(host: string): string {
  return host
    .toLowerCase()
    .replace(/^\[|\]$/g, '')
    .replace(/\.$/, '');
}

function entryOf(text: string): Entry {
  if (text.includes('/')) return { kind: 'range', range: ipaddr.parseCIDR(text), port: null };
  const [, host = text, digits] = /^(\[.*\]|[^:]*)(?::(\d+))?$/.exec(text) ?? [];
  const port = digits === undefined ? null : Number(digits);
  const plain = plainHost(host);
  if (!ipaddr.isValid(plain)) return { kind: 'host', host: plain, port };
  const address = ipaddr.parse(plain);
  return { kind: 'range', range: [address, address.kind() === 'ipv4' ? 32 : 128], port };
}

function isIn(entry: Entry, { host, address }: Target): boolean {
  if (entry.kind === 'host') return entry.host === plainHost(host);
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.parse(address);
  const [base, bits] = entry.range;
  return parsed.kind() === base.kind() && parsed.match(base as ipaddr.IPv4, bits);
}
