import type { Clock } from '@plinth/engine';
import type { TenantId } from '@plinth/protocol';
import { RecentMap } from '../../events/recent-map.js';
import { type KeyFetcher, KeysUnavailable } from './fetch-keys.js';
import type { IdentityProvider } from './identity-providers.js';
import type { KeySet } from './key-set.js';

/** Milliseconds for which keys are used without a look: a key that a provider withdraws is refused after that. */
export const FRESH_MS = 10 * 60_000;
/** Milliseconds for which keys go on while the provider is away. */
export const USABLE_MS = 60 * 60_000;
/** Milliseconds between two attempts, whatever tokens come: nobody makes this server a load for a provider. */
export const COOL_DOWN_MS = 10_000;
const MOST_PROVIDERS = 1_000;

interface Entry {
  set: KeySet | null;
  loadedAt: number;
  /** When the last attempt ended. */
  triedAt: number;
  /** Of the last attempt; null when it brought keys. */
  failure: KeysUnavailable | null;
  loading: Promise<void> | null;
}

export interface KeyUser {
  tenantId: TenantId;
  provider: IdentityProvider;
}

/**
 * The keys of identity providers, kept in this process. One attempt at a time for a provider, and then none for the
 * cool-down: a token with an unknown key asks for a new look, and forged ones could otherwise ask all the time.
 * What else a provider's definition says is read with every token; its keys are those of its addresses alone.
 */
export class ProviderKeys {
  readonly #entries = new RecentMap<Entry>(MOST_PROVIDERS);
  readonly #closed = new AbortController();

  constructor(
    private readonly fetcher: Pick<KeyFetcher, 'fetch'>,
    private readonly clock: Clock,
    private readonly onAttempt: (user: KeyUser, failure: KeysUnavailable | null) => void = () => {},
  ) {}

  /** The keys as they are known. @throws KeysUnavailable when there are none that may still be used */
  async current(user: KeyUser): Promise<KeySet> {
    const entry = this.#entryOf(user);
    if (this.#age(entry) >= FRESH_MS) {
      const attempt = this.#attempt(user, entry);
      // A provider that is known to be away holds nobody up.
      if (entry.failure === null || this.#age(entry) >= USABLE_MS) await attempt;
    }
    if (entry.set !== null && this.#age(entry) < USABLE_MS) return entry.set;
    throw entry.failure ?? new KeysUnavailable('unreachable', 'has not been asked for its keys yet');
  }

  /** The keys after those that did not do; the same ones when it is too early to ask again, or there are no others. */
  async after(user: KeyUser, seen: KeySet): Promise<KeySet> {
    const entry = this.#entryOf(user);
    if (entry.set === seen) await this.#attempt(user, entry);
    return entry.set ?? seen;
  }

  /** Ends what is under way. */
  close(): void {
    this.#closed.abort(new Error('the server stops'));
  }

  #attempt(user: KeyUser, entry: Entry): Promise<void> | null {
    if (entry.loading !== null) return entry.loading;
    if (this.clock.now() - entry.triedAt < COOL_DOWN_MS) return null;
    entry.loading = this.#load(user, entry);
    return entry.loading;
  }

  async #load(user: KeyUser, entry: Entry): Promise<void> {
    const { tenantId, provider } = user;
    try {
      entry.set = await this.fetcher.fetch(tenantId, provider.definition, this.#closed.signal);
      entry.loadedAt = this.clock.now();
      entry.failure = null;
    } catch (error) {
      entry.failure =
        error instanceof KeysUnavailable
          ? error
          : new KeysUnavailable('internal', 'could not be asked for its keys', { cause: error });
    } finally {
      entry.triedAt = this.clock.now();
      entry.loading = null;
    }
    this.onAttempt(user, entry.failure);
  }

  #age(entry: Entry): number {
    return this.clock.now() - entry.loadedAt;
  }

  #entryOf({ tenantId, provider }: KeyUser): Entry {
    const { issuer, jwksUrl = '' } = provider.definition;
    const name = `${tenantId}\n${issuer}\n${jwksUrl}`;
    const entry = this.#entries.get(name) ?? {
      set: null,
      loadedAt: Number.NEGATIVE_INFINITY,
      triedAt: Number.NEGATIVE_INFINITY,
      failure: null,
      loading: null,
    };
    this.#entries.set(name, entry);
    return entry;
  }
}
