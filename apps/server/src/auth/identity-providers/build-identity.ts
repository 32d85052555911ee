import type { Clock } from '@plinth/engine';
import type { Logger } from 'pino';
import type { TenantDatabase } from '../../platform/database/tenant-database.js';
import type { Metrics } from '../../platform/metrics/metrics.js';
import type { OutboundClient } from '../../platform/outbound/outbound-client.js';
import { AccessTokens } from './access-tokens.js';
import { KeyFetcher } from './fetch-keys.js';
import { IdentityProviders } from './identity-providers.js';
import { ProviderKeys } from './provider-keys.js';

/** What lets people in with the tokens of their business's own identity provider. */
export function buildIdentity(ports: {
  database: TenantDatabase;
  clock: Clock;
  outbound: OutboundClient;
  metrics: Metrics;
  logger: Logger;
}) {
  const { database, clock, outbound, metrics, logger } = ports;
  const providers = new IdentityProviders(database, clock);
  const fetcher = new KeyFetcher(outbound);
  const keys = new ProviderKeys(fetcher, clock, ({ tenantId: tenant, provider }, failure) => {
    metrics.identityKeysFetched(tenant, failure?.reason ?? 'ok');
    if (failure === null) return;
    const { reason, message, cause } = failure;
    logger.warn({ tenant, provider: provider.key, reason, err: cause }, `the identity provider ${message}`);
  });
  return { providers, fetcher, keys, tokens: new AccessTokens(providers, keys, clock) };
}
