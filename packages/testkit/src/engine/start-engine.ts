import {
  type AdvancePorts,
  type AgentVersion,
  answerFromOutside,
  answerInterrupt,
  cancelRun,
  type DoorPorts,
  hasEnded,
  type Interrupt,
  leaseInterrupt,
  messageViewOf,
  type RunRecord,
  Snapshots,
  type StoredFile,
  startRun,
  sweep,
  ZlibSnapshotCodec,
} from '@plinth/engine';
import {
  type Answer,
  type AttachmentInput,
  DEFAULT_TENANT_CONFIG,
  type EndUserId,
  type InterruptId,
  type JsonValue,
  type MessageEvent,
  type MessageId,
  type RunId,
  type StartRunResponse,
  type TenantConfig,
  type TenantId,
  type ThreadId,
  type ToolDefinition,
} from '@plinth/protocol';
import { MemoryAttachments } from '../attachments/memory-attachments.js';
import { MemoryImagePipeline } from '../images/memory-image-pipeline.js';
import { MemoryLedger } from '../ledger/memory-ledger.js';
import { ManualClock } from '../redis/manual-clock.js';
import { MemoryEventLog } from '../redis/memory-event-log.js';
import { MemoryRateLimiter } from '../redis/memory-rate-limiter.js';
import { MemoryScheduler } from '../redis/memory-scheduler.js';
import { MemorySnapshotStore } from '../redis/memory-snapshot-store.js';
import { MemoryToolCache } from '../redis/memory-tool-cache.js';
import { brokenRules } from './broken-rules.js';
import { EngineWorker, LEASE } from './engine-worker.js';
import { FakeCallbackTokens } from './fake-callback-tokens.js';
import { MemoryArtifactStore } from './memory-artifact-store.js';
import { MemoryEventWriter } from './memory-event-writer.js';
import { RecordingObserver } from './recording-observer.js';
import { type ModelScript, ScriptedModel } from './scripted-model.js';
import { ScriptedTools, type ToolScript } from './scripted-tools.js';
import { SequentialIds } from './sequential-ids.js';

export interface EngineSetup {
  tools?: ToolDefinition[];
  model: ModelScript;
  scripts?: Record<string, ToolScript>;
  config?: { [Part in keyof TenantConfig]?: Partial<TenantConfig[Part]> };
}

const TENANT = 'ten_acme' as TenantId;
const USER = 'user-1' as EndUserId;
const INSTRUCTIONS = 'You make posters.';

/** Lets every promise that can go on without time passing go on. */
export async function idle(rounds = 5): Promise<void> {
  for (let round = 0; round < rounds; round += 1) await new Promise<void>((resolve) => setImmediate(resolve));
}

/** The whole engine on fakes: doors, workers, sweeper, over one in-memory ledger and one standing clock. */
export class TestEngine {
  readonly tenant = TENANT;
  readonly user = USER;
  readonly clock = new ManualClock();
  readonly ids = new SequentialIds();
  readonly ledger = new MemoryLedger(this.clock);
  readonly log = new MemoryEventLog();
  readonly store = new MemorySnapshotStore();
  readonly scheduler = new MemoryScheduler();
  readonly observer = new RecordingObserver();
  readonly callbacks = new FakeCallbackTokens();
  readonly limiter = new MemoryRateLimiter(this.clock);
  readonly cache = new MemoryToolCache(this.clock);
  readonly artifacts = new MemoryArtifactStore();
  readonly attachments = new MemoryAttachments(this.ledger, this.clock);
  readonly images = new MemoryImagePipeline(this.clock);
  readonly model: ScriptedModel;
  readonly tools: ScriptedTools;
  /** Published versions of the agent, oldest first. */
  readonly versions: AgentVersion[] = [];
  readonly door: DoorPorts;
  config: TenantConfig;
  private requests = 0;
  private workers = 0;

  constructor({ tools = [], model, scripts = {}, config = {} }: EngineSetup) {
    this.model = new ScriptedModel(model);
    this.tools = new ScriptedTools(scripts);
    this.config = {
      ...DEFAULT_TENANT_CONFIG,
      model: { ...DEFAULT_TENANT_CONFIG.model, ...config.model },
      budgets: { ...DEFAULT_TENANT_CONFIG.budgets, ...config.budgets },
      ttl: { ...DEFAULT_TENANT_CONFIG.ttl, ...config.ttl },
      snapshots: { ...DEFAULT_TENANT_CONFIG.snapshots, ...config.snapshots },
      tools: { ...DEFAULT_TENANT_CONFIG.tools, ...config.tools },
      context: { ...DEFAULT_TENANT_CONFIG.context, ...config.context },
      outbound: DEFAULT_TENANT_CONFIG.outbound,
    };
    this.publish(tools);
    const { ledger, scheduler, ids, clock, observer } = this;
    const agents = {
      version: async (_tenant: TenantId, id: string) => this.versionOf(id),
      newest: async (_tenant: TenantId, key: string) =>
        key === 'poster' ? (this.versions.at(-1) ?? null) : null,
    };
    this.door = {
      ledger,
      scheduler,
      agents,
      ids,
      clock,
      observer,
      writer: new MemoryEventWriter(this.log, ledger),
      log: this.log,
      snapshots: new Snapshots(this.store, new ZlibSnapshotCodec(), observer),
      executor: this.tools,
      artifacts: this.artifacts,
      attachments: this.attachments,
      config: { current: async () => ({ revision: 1, forAgent: () => this.config }) },
    };
  }

  /** A new version of the agent, with these tools. Runs that began before keep theirs. */
  publish(tools: ToolDefinition[]): void {
    const version = this.versions.length + 1;
    const definition = {
      key: 'poster',
      name: 'Poster studio',
      instructions: INSTRUCTIONS,
      tools: tools.map(({ key }) => key),
      skills: [],
      config: {},
    };
    const id = `agv_${String(version).padStart(4, '0')}` as AgentVersion['id'];
    this.versions.push({ id, version, definition, tools, skills: [] });
  }

  private versionOf(id: string): AgentVersion {
    const found = this.versions.find((version) => version.id === id);
    if (!found) throw new Error(`there is no agent version ${id}`);
    return found;
  }

  /** A worker process of its own, with what only the ports share. */
  worker(overrides: Partial<AdvancePorts> = {}): EngineWorker {
    const { ledger, log, callbacks } = this;
    this.workers += 1;
    const ports: AdvancePorts = {
      ...this.door,
      approvals: ledger,
      limiter: this.limiter,
      cache: this.cache,
      writer: new MemoryEventWriter(log, ledger),
      nudges: this.scheduler,
      gateway: this.model,
      images: this.images,
      callbacks,
      ...overrides,
    };
    return new EngineWorker(ports, `worker-${this.workers}`, TENANT);
  }

  start(
    text: string,
    options: {
      threadId?: string;
      onBusy?: 'supersede' | 'reject';
      idempotencyKey?: string;
      endUserId?: EndUserId;
      attachments?: AttachmentInput[];
    } = {},
  ): Promise<StartRunResponse> {
    return startRun(this.door, TENANT, {
      endUserId: options.endUserId ?? USER,
      threadId: (options.threadId ?? null) as ThreadId | null,
      agent: 'poster',
      text,
      attachments: options.attachments ?? [],
      onBusy: options.onBusy ?? 'supersede',
      idempotencyKey: options.idempotencyKey ?? null,
    });
  }

  /** Takes wakes and works on them, until none waits. */
  async work(worker: EngineWorker = this.worker()): Promise<void> {
    for (let wake = this.scheduler.take(); wake && !worker.life.dead; wake = this.scheduler.take())
      await worker.advance(wake.runId);
  }

  answer(interruptId: string, answer: Answer, requestId = this.nextRequestId()) {
    const by = { kind: 'end_user', id: USER } as const;
    return answerInterrupt(this.door, TENANT, { endUserId: USER }, interruptId as InterruptId, {
      requestId,
      answer,
      by,
    });
  }

  /** A page takes or renews the lease of a frontend tool. */
  lease(interruptId: string, clientId = 'page-0001') {
    return leaseInterrupt(this.door, TENANT, { endUserId: USER }, interruptId as InterruptId, clientId);
  }

  /** What the sweeper does with a wait that it takes for due. */
  expire(interruptId: string) {
    const by = { kind: 'platform', id: 'expiry' } as const;
    return answerFromOutside(this.door, TENANT, interruptId as InterruptId, {
      requestId: `expiry:${interruptId}`,
      answer: { type: 'expired' },
      by,
    });
  }

  /** A job's callback. */
  callback(interruptId: string, result: JsonValue = { done: true }, files: StoredFile[] = []) {
    const answer = { type: 'callback', outcome: { ok: true, result, files } } as const;
    const by = { kind: 'remote', id: 'jobs' } as const;
    return answerFromOutside(this.door, TENANT, interruptId as InterruptId, {
      requestId: this.nextRequestId(),
      answer,
      by,
    });
  }

  cancel(runId: string): Promise<void> {
    return cancelRun(this.door, TENANT, runId as RunId, (run) => run.endUserId === USER);
  }

  sweep(): Promise<void> {
    return sweep({ ...this.door, due: this.ledger }, { queuedMs: 5_000, unpublishedMs: 3_000 });
  }

  /** As after the death of a worker: its lease runs out, and the sweeper finds the run. */
  async afterLease(): Promise<void> {
    this.clock.advance(LEASE.leaseMs + 1);
    await this.sweep();
  }

  async record(runId: string): Promise<RunRecord> {
    const record = await this.ledger.loadTail(TENANT, runId as RunId, 0);
    if (!record) throw new Error(`there is no run ${runId}`);
    return record;
  }

  async waits(runId: string): Promise<Interrupt[]> {
    return (await this.record(runId)).interrupts.filter((interrupt) => interrupt.state === 'open');
  }

  /** The one open wait of the run. */
  async wait(runId: string): Promise<Interrupt> {
    const [wait, ...others] = await this.waits(runId);
    if (!wait || others.length > 0)
      throw new Error(`run ${runId} has ${wait ? others.length + 1 : 0} open waits, not one`);
    return wait;
  }

  async view(runId: string) {
    const record = await this.record(runId);
    return messageViewOf(record, this.versionOf(record.run.agentVersionId));
  }

  async ended(runId: string): Promise<boolean> {
    return hasEnded((await this.record(runId)).run.status);
  }

  /** What stands in the message's log, in order. */
  async events(messageId: string): Promise<(MessageEvent & { seq: string })[]> {
    const entries = await this.log.entries(TENANT, { kind: 'message', id: messageId as MessageId });
    return entries.map(({ seq, payload }) => ({ ...(JSON.parse(payload) as MessageEvent), seq }));
  }

  /** Rules that the run breaks as it stands: none, at any time. */
  async brokenRules(runId: string): Promise<string[]> {
    const record = await this.record(runId);
    return brokenRules(record, await this.events(record.run.messageId), this.tools.effects);
  }

  private nextRequestId(): string {
    this.requests += 1;
    return `request-${String(this.requests).padStart(4, '0')}`;
  }
}

/** The one fixture of engine tests. */
export function startEngine(setup: EngineSetup): TestEngine {
  return new TestEngine(setup);
}
