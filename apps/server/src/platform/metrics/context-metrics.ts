import type { CutKind } from '@plinth/engine';
import type { TenantId } from '@plinth/protocol';
import { Counter, Histogram, type Registry } from 'prom-client';

const BYTES = [4_096, 16_384, 65_536, 262_144, 1_048_576, 4_194_304, 10_485_760, 20_971_520, 52_428_800];
const TOKENS = [1_000, 4_000, 16_000, 32_000, 64_000, 128_000, 200_000, 400_000, 1_000_000];

/**
 * What requests to models weigh, and what was left out of them. `endpoint` is the name of a built-in profile: a model's own
 * name is for a tenant to choose, and there may be any number.
 */
export class ContextMetrics {
  readonly #bytes;
  readonly #tokens;
  readonly #cuts;
  readonly #replaced;
  readonly #unfit;

  constructor(registry: Registry) {
    const registers = [registry];
    const labelNames = ['tenant', 'endpoint'] as const;
    this.#bytes = new Histogram({
      name: 'plinth_model_request_bytes',
      help: 'Bytes of one request to the model.',
      buckets: BYTES,
      labelNames,
      registers,
    });
    this.#tokens = new Histogram({
      name: 'plinth_model_request_tokens',
      help: 'Tokens of one request to the model, as they were planned.',
      buckets: TOKENS,
      labelNames,
      registers,
    });
    this.#cuts = new Counter({
      name: 'plinth_context_cuts_total',
      help: 'Times that the requests of a conversation were made to hold less, by kind.',
      labelNames: [...labelNames, 'kind'],
      registers,
    });
    this.#replaced = new Counter({
      name: 'plinth_model_requests_replaced_total',
      help: 'Requests that an endpoint refused and another one was sent for, by why.',
      labelNames: [...labelNames, 'why'],
      registers,
    });
    this.#unfit = new Counter({
      name: 'plinth_context_unfit_total',
      help: 'Runs that ended because their next request would not fit, by the code of their error.',
      labelNames: [...labelNames, 'code'],
      registers,
    });
  }

  sent(tenant: TenantId, request: { endpoint: string; bytes: number; tokens: number }): void {
    const { endpoint, bytes, tokens } = request;
    this.#bytes.observe({ tenant, endpoint }, bytes);
    this.#tokens.observe({ tenant, endpoint }, tokens);
  }

  cut(tenant: TenantId, cut: { endpoint: string; kind: CutKind }): void {
    this.#cuts.inc({ tenant, ...cut });
  }

  replaced(tenant: TenantId, refusal: { endpoint: string; why: string }): void {
    this.#replaced.inc({ tenant, ...refusal });
  }

  unfit(tenant: TenantId, end: { endpoint: string; code: string }): void {
    this.#unfit.inc({ tenant, ...end });
  }
}
