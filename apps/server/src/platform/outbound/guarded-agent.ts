import { lookup } from 'node:dns/promises';
import { isIP, type LookupFunction, type Socket } from 'node:net';
import { Agent, buildConnector } from 'undici';
import { plainHost } from './allow-list.js';
import { OutboundError } from './outbound-failure.js';
import type { OutboundPolicy } from './outbound-policy.js';

export interface ResolvedAddress {
  address: string;
  family: number;
}
export type Resolve = (host: string) => Promise<ResolvedAddress[]>;

/** As the operating system resolves names, its hosts file included. */
export const systemResolve: Resolve = (host) => lookup(host, { all: true, verbatim: true });

/** Bytes of all headers of an answer. Node's own limit is 16 KiB; some services set many cookies. */
const MAX_HEADER_BYTES = 32 * 1024;

export interface GuardedAgentOptions {
  policy: Pick<OutboundPolicy, 'refusal'>;
  resolve?: Resolve;
  /** Told of each socket as soon as there is one, connected or not. */
  onSocket?: (socket: Socket) => void;
  /** Told when a connection (with TLS, where it is wanted) stands. */
  onConnected?: () => void;
}

/**
 * An agent that opens connections to addresses which the policy allows, and to no other. A name is resolved once
 * for a connection, every address of the answer is checked, and the connection goes to one of exactly these: a
 * name that means something else a moment later (DNS rebinding) gains nothing.
 *
 * It must serve one tenant only: connections that are kept alive are not checked again. Redirects are not followed.
 */
export function guardedAgent({
  policy,
  resolve = systemResolve,
  onSocket = () => {},
  onConnected = () => {},
}: GuardedAgentOptions): Agent {
  return new Agent({
    pipelining: 0,
    maxHeaderSize: MAX_HEADER_BYTES,
    headersTimeout: 0,
    bodyTimeout: 0,
    connect: (options, callback) => {
      const host = plainHost(options.hostname);
      const port = Number(options.port || (options.protocol === 'https:' ? 443 : 80));
      // For an address in the URL Node asks no resolver.
      if (isIP(host) !== 0) {
        const why = policy.refusal({ host, port, address: host });
        if (why !== null) return callback(new OutboundError('blocked_address', why), null);
      }
      const connect = buildConnector({ timeout: 0, lookup: checkedLookup({ policy, resolve, port }) });
      const socket: unknown = connect({ ...options, hostname: host }, (...result) => {
        if (result[0] === null) onConnected();
        callback(...result);
      });
      if (isSocket(socket)) onSocket(socket);
    },
  });
}

function checkedLookup(of: {
  policy: GuardedAgentOptions['policy'];
  resolve: Resolve;
  port: number;
}): LookupFunction {
  return (host, options, callback) => {
    checkedAddresses(host, of).then(
      (addresses) => {
        const [first] = addresses;
        if (options.all) callback(null, addresses);
        else callback(null, first.address, first.family);
      },
      (error: NodeJS.ErrnoException) => callback(error, '', 0),
    );
  };
}

async function checkedAddresses(
  host: string,
  { policy, resolve, port }: { policy: GuardedAgentOptions['policy']; resolve: Resolve; port: number },
): Promise<[ResolvedAddress, ...ResolvedAddress[]]> {
  const [first, ...more] = await resolve(host);
  if (first === undefined) throw Object.assign(new Error('no address'), { code: 'ENOTFOUND' });
  for (const { address } of [first, ...more]) {
    const why = policy.refusal({ host, port, address });
    if (why !== null) throw new OutboundError('blocked_address', why);
  }
  return [first, ...more];
}

/** `buildConnector` returns the socket that it is about to connect, which its types do not say. */
function isSocket(value: unknown): value is Socket {
  return typeof value === 'object' && value !== null && 'destroy' in value;
}
