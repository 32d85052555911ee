import type { TenantId } from '@plinth/protocol';
import type { OutboundClient } from '../../platform/outbound/outbound-client.js';
import { type CheckedDefinition, keyAddressProblem } from './check-identity-provider.js';
import { type KeySet, readKeySet } from './key-set.js';

/** Why the keys of a provider could not be had. Goes on after "The identity provider". */
export class KeysUnavailable extends Error {
  constructor(
    /** Stable. One of an outbound failure, `bad_status`, `bad_document` or `internal`. */
    readonly reason: string,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
    this.name = 'KeysUnavailable';
  }
}

/** Milliseconds for one document. A page waits for it. */
const TIMEOUT_MS = 5_000;
/** Bytes of one document: some fifty keys with their certificates. */
const MAX_BYTES = 128 * 1024;

/** Fetches the keys of identity providers. Their addresses come from tenants: every request goes by the tenant's outbound policy. */
export class KeyFetcher {
  constructor(private readonly outbound: Pick<OutboundClient, 'send'>) {}

  /** @throws KeysUnavailable, or the signal's reason when it aborts */
  async fetch(
    tenant: TenantId,
    { issuer, jwksUrl }: Pick<CheckedDefinition, 'issuer' | 'jwksUrl'>,
    signal: AbortSignal,
  ): Promise<KeySet> {
    const address = jwksUrl ?? (await this.#discover(tenant, issuer, signal));
    const keys = readKeySet(await this.#read(tenant, address, signal));
    if (keys === null)
      throw new KeysUnavailable('bad_document', 'publishes no keys that can prove a signature');
    return keys;
  }

  /** OpenID Connect Discovery 1.0, 4: the document must be about this very issuer. */
  async #discover(tenant: TenantId, issuer: string, signal: AbortSignal): Promise<string> {
    const address = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`;
    const document = await this.#read(tenant, address, signal);
    const { issuer: named, jwks_uri: keys } = (document ?? {}) as Record<string, unknown>;
    if (named !== issuer)
      throw new KeysUnavailable('bad_document', 'has an OpenID configuration of another issuer');
    if (typeof keys !== 'string' || keyAddressProblem(keys) !== null || !isAsSafeAs(issuer, keys))
      throw new KeysUnavailable('bad_document', 'has an OpenID configuration without a usable jwks_uri');
    return keys;
  }

  async #read(tenant: TenantId, url: string, signal: AbortSignal): Promise<unknown> {
    const request = {
      url,
      method: 'GET',
      headers: { accept: 'application/json' },
      timeoutMs: TIMEOUT_MS,
      // What redirects has moved: whoever set it up should know, and not follow blindly.
      maxRedirects: 0,
      plan: ({ status }: { status: number }) => ({
        maxBytes: status === 200 ? MAX_BYTES : 0,
        longer: 'refuse' as const,
      }),
    };
    const result = await this.outbound.send(tenant, request, signal);
    if (!result.ok) throw new KeysUnavailable(result.failure.code, result.failure.message);
    const { status, body } = result.response;
    if (status !== 200)
      throw new KeysUnavailable(
        'bad_status',
        `answered with status ${status} when it was asked for its keys`,
      );
    return parseJson(body);
  }
}

function isAsSafeAs(issuer: string, address: string): boolean {
  return !issuer.startsWith('https:') || address.startsWith('https:');
}

function parseJson(body: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body));
  } catch {
    throw new KeysUnavailable('bad_document', 'answered with something else than JSON');
  }
}
