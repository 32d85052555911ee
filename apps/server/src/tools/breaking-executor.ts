import {
  failureKindOf,
  type JobCancellation,
  type ToolExecutor,
  type ToolInvocation,
  type ToolOutcome,
  ToolTimedOut,
} from '@plinth/engine';
import {
  DEFAULT_TENANT_CONFIG,
  type TenantConfig,
  type TenantId,
  type ToolExecutorSpec,
} from '@plinth/protocol';
import {
  type CircuitBreakerPolicy,
  CircuitState,
  circuitBreaker,
  handleWhen,
  isBrokenCircuitError,
} from 'cockatiel';
import { LruCache } from '../agents/lru-cache.js';
import { endpointOf } from './endpoint-of.js';
import { FailuresInWindow } from './failures-in-window.js';

export type BreakerSettings = TenantConfig['tools']['breaker'];

/** Circuits that one process keeps; the one longest unused goes, and begins closed again. */
const MOST_CIRCUITS = 2_000;

export interface BreakingExecutorOptions {
  settingsOf(tenant: TenantId): Promise<BreakerSettings>;
  /** Told of every circuit that opens or closes. */
  onChange(tenant: TenantId, endpoint: string, is: 'open' | 'closed'): void;
}

/**
 * Leaves services alone that are down. After so many failures in a time, calls of the tenant to that host fail at once;
 * then one is let through, and what becomes of it decides. Only what says that a service is down counts: it could not
 * be reached, or did not answer in time. Each process learns by itself: a breaker must not need a store that may be
 * down too.
 */
export class BreakingExecutor implements ToolExecutor {
  readonly #circuits = new LruCache<CircuitBreakerPolicy>(MOST_CIRCUITS);

  constructor(
    private readonly inner: ToolExecutor,
    private readonly options: BreakingExecutorOptions,
  ) {}

  supports(spec: ToolExecutorSpec): boolean {
    return this.inner.supports?.(spec) ?? true;
  }

  async cancel(tenant: TenantId, cancellation: JobCancellation): Promise<void> {
    await this.inner.cancel?.(tenant, cancellation);
  }

  async execute(tenant: TenantId, invocation: ToolInvocation, signal: AbortSignal): Promise<ToolOutcome> {
    const endpoint = endpointOf(invocation.tool.executor);
    if (endpoint === null) return this.inner.execute(tenant, invocation, signal);
    // Without the tenant's own, the defaults protect as well.
    const settings = await this.options.settingsOf(tenant).catch(() => DEFAULT_TENANT_CONFIG.tools.breaker);
    const circuit = this.#circuitOf(tenant, endpoint, settings);
    // While one call finds out, the others do not wait for it: its time is another tool's.
    if (circuit.state === CircuitState.HalfOpen) return leftAlone(settings);
    try {
      return await circuit.execute(async () => {
        const outcome = await this.inner.execute(tenant, invocation, signal).catch((error: unknown) => {
          throw signal.reason instanceof ToolTimedOut ? signal.reason : error;
        });
        return outcome;
      });
    } catch (error) {
      if (isBrokenCircuitError(error)) return leftAlone(settings);
      throw error;
    }
  }

  #circuitOf(tenant: TenantId, endpoint: string, settings: BreakerSettings): CircuitBreakerPolicy {
    const { failures, windowSeconds, halfOpenAfterSeconds } = settings;
    // Other settings are another circuit: they hold from the next call on.
    const key = `${tenant} ${endpoint} ${failures} ${windowSeconds} ${halfOpenAfterSeconds}`;
    const known = this.#circuits.get(key);
    if (known) return known;
    const made: CircuitBreakerPolicy = circuitBreaker(
      // A call that was to find out and was cut off has found out nothing: the circuit stays open.
      handleWhen(
        (error) => error instanceof ToolTimedOut || made.state === CircuitState.HalfOpen,
      ).orWhenResult(isOutage),
      {
        halfOpenAfter: halfOpenAfterSeconds * 1000,
        breaker: new FailuresInWindow(failures, windowSeconds * 1000),
      },
    );
    made.onBreak(() => this.options.onChange(tenant, endpoint, 'open'));
    made.onReset(() => this.options.onChange(tenant, endpoint, 'closed'));
    this.#circuits.set(key, made);
    return made;
  }
}

/** Also when nobody knows what became of the call: what is known is that no proper answer came. */
function isOutage(result: unknown): boolean {
  const outcome = result as ToolOutcome;
  if (outcome.kind === 'unknown') return outcome.error.code !== 'tool_crashed';
  return outcome.kind === 'failed' && ['unavailable', 'timed_out'].includes(failureKindOf(outcome.error));
}

function leftAlone({ halfOpenAfterSeconds }: BreakerSettings): ToolOutcome {
  const message = `The service of this tool has failed several times and is left alone for up to ${halfOpenAfterSeconds} seconds. Nothing was sent.`;
  return {
    kind: 'failed',
    error: { code: 'unavailable', message },
    retryAfterSeconds: halfOpenAfterSeconds,
  };
}
