import type { CutKind, DefinitionVerdict, EngineObserver } from '@plinth/engine';
import { PlinthError, type TenantId } from '@plinth/protocol';
import type { Logger } from 'pino';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { ContextMetrics } from './context-metrics.js';

const MILLISECONDS = [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 25, 50, 100, 250, 1000];
const BYTES = [256, 1024, 4096, 16_384, 65_536, 262_144, 1_048_576];
const SECONDS = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120];

/** The metrics of one process, at `/metrics`. Each carries the tenant it speaks of. */
export class Metrics implements EngineObserver {
  readonly registry = new Registry();
  readonly #context = new ContextMetrics(this.registry);
  readonly #resumes = this.#counter(
    'plinth_resume_total',
    'Runs gone on with, by where their state came from.',
    ['tenant', 'source'],
  );
  readonly #snapshotReads = this.#counter('plinth_snapshot_reads_total', 'Snapshot reads by outcome.', [
    'tenant',
    'outcome',
  ]);
  readonly #snapshotRaw = this.#histogram(
    'plinth_snapshot_raw_bytes',
    'Bytes of what one snapshot write holds.',
    BYTES,
  );
  readonly #snapshotStored = this.#histogram(
    'plinth_snapshot_stored_bytes',
    'Bytes that it took in Redis.',
    BYTES,
  );
  readonly #alarms = this.#counter(
    'plinth_snapshot_alarms_total',
    'Snapshot writes that left more in Redis than `snapshots.alarmBytes` of the tenant.',
    ['tenant'],
  );
  readonly #encode = this.#histogram(
    'plinth_snapshot_encode_ms',
    'Milliseconds to encode a snapshot write.',
    MILLISECONDS,
  );
  readonly #decode = this.#histogram(
    'plinth_snapshot_decode_ms',
    'Milliseconds to read and decode a snapshot.',
    MILLISECONDS,
  );
  readonly #overhead = this.#histogram(
    'plinth_turn_overhead_ms',
    'Milliseconds of one turn outside the model.',
    MILLISECONDS,
  );
  readonly #model = this.#histogram(
    'plinth_model_seconds',
    'Seconds of one exchange with the model.',
    SECONDS,
  );
  readonly #ended = this.#counter('plinth_runs_ended_total', 'Ended runs by reason.', ['tenant', 'reason']);
  readonly #verdicts = this.#counter(
    'plinth_definition_verdict_total',
    'Tools of waiting calls, by what had become of their definition when the run went on.',
    ['tenant', 'verdict'],
  );
  readonly #problems = this.#counter('plinth_problems_total', 'Failures inside the platform.', ['tenant']);
  readonly #accessRefusals = this.#counter(
    'plinth_access_token_refusals_total',
    'Refused access tokens of identity providers, by reason. The tenant is empty where none is known.',
    ['tenant', 'reason'],
  );
  readonly #identityKeys = this.#counter(
    'plinth_identity_keys_fetches_total',
    'Attempts to fetch the keys of identity providers, by outcome.',
    ['tenant', 'outcome'],
  );
  readonly #subscribers = new Gauge({
    name: 'plinth_event_streams',
    help: 'Open event streams of this process.',
    labelNames: ['tenant'],
    registers: [this.registry],
  });

  constructor(private readonly logger: Logger) {
    collectDefaultMetrics({ register: this.registry });
  }

  resumed(tenant: TenantId, source: 'snapshot' | 'rebuild'): void {
    this.#resumes.inc({ tenant, source });
  }

  snapshotRead(tenant: TenantId, outcome: 'hit' | 'absent' | 'corrupt', decodeMs: number): void {
    this.#snapshotReads.inc({ tenant, outcome });
    if (outcome === 'hit') this.#decode.observe({ tenant }, decodeMs);
  }

  snapshotWritten(
    tenant: TenantId,
    sizes: { rawBytes: number; storedBytes: number; encodeMs: number },
  ): void {
    this.#snapshotRaw.observe({ tenant }, sizes.rawBytes);
    this.#snapshotStored.observe({ tenant }, sizes.storedBytes);
    this.#encode.observe({ tenant }, sizes.encodeMs);
  }

  snapshotTooLarge(tenant: TenantId, about: { runId: string; bytes: number; alarmBytes: number }): void {
    this.#alarms.inc({ tenant });
    this.logger.warn({ tenant, ...about }, 'a snapshot is larger than the alarm of its tenant');
  }

  requestSent(tenant: TenantId, request: { endpoint: string; bytes: number; tokens: number }): void {
    this.#context.sent(tenant, request);
  }

  contextCut(tenant: TenantId, cut: { endpoint: string; kind: CutKind }): void {
    this.#context.cut(tenant, cut);
  }

  requestReplaced(tenant: TenantId, refusal: { endpoint: string; why: string }): void {
    this.#context.replaced(tenant, refusal);
  }

  contextUnfit(tenant: TenantId, end: { endpoint: string; code: string }): void {
    this.#context.unfit(tenant, end);
  }

  turnEnded(tenant: TenantId, timing: { modelMs: number; overheadMs: number }): void {
    this.#overhead.observe({ tenant }, timing.overheadMs);
    this.#model.observe({ tenant }, timing.modelMs / 1000);
  }

  runEnded(tenant: TenantId, reason: string): void {
    this.#ended.inc({ tenant, reason });
  }

  definitionCompared(tenant: TenantId, verdict: DefinitionVerdict): void {
    this.#verdicts.inc({ tenant, verdict });
  }

  problem(tenant: TenantId, about: { runId: string; doing: string }, error: unknown): void {
    this.#problems.inc({ tenant });
    this.logger.error(
      { err: error, tenant, ...about, code: PlinthError.isInstance(error) ? error.code : undefined },
      `could not ${about.doing}`,
    );
  }

  accessTokenRefused(tenant: TenantId | null, reason: string): void {
    this.#accessRefusals.inc({ tenant: tenant ?? '', reason });
  }

  /** @param outcome `ok`, or why there are none */
  identityKeysFetched(tenant: TenantId, outcome: string): void {
    this.#identityKeys.inc({ tenant, outcome });
  }

  /** Counts one open event stream; call the returned function at its end. */
  streamOpened(tenant: TenantId): () => void {
    this.#subscribers.inc({ tenant });
    return () => this.#subscribers.dec({ tenant });
  }

  #counter<Label extends string>(name: string, help: string, labelNames: Label[]): Counter<Label> {
    return new Counter({ name, help, labelNames, registers: [this.registry] });
  }

  #histogram(name: string, help: string, buckets: number[]): Histogram<'tenant'> {
    return new Histogram({ name, help, buckets, labelNames: ['tenant'], registers: [this.registry] });
  }
}
