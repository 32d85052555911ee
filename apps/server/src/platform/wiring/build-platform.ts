import { type DoorPorts, Snapshots, withExpiryTimers, ZlibSnapshotCodec } from '@plinth/engine';
import type { Logger } from 'pino';
import { PrismaAgentCatalog } from '../../agents/agent-catalog.js';
import { ArtifactVersions } from '../../artifacts/artifact-versions.js';
import { openArtifactStore } from '../../artifacts/open-artifact-store.js';
import { RunArtifacts } from '../../artifacts/run-artifacts.js';
import { DerivedKeys } from '../../auth/derived-keys.js';
import { buildIdentity } from '../../auth/identity-providers/build-identity.js';
import { LayeredConfigSource } from '../../config/tenant-config-source.js';
import { TenantConfigs } from '../../config/tenant-configs.js';
import { LogEventWriter } from '../../events/log-event-writer.js';
import { LogPositions } from '../../events/log-positions.js';
import { PublishedMarks } from '../../events/published-marks.js';
import { RedisEventLog } from '../../events/redis-event-log.js';
import { buildImages } from '../../images/build-images.js';
import { PostgresApprovals } from '../../interrupts/postgres-approvals.js';
import { BullMqScheduler } from '../../runs/bullmq-scheduler.js';
import { PostgresDueWork } from '../../runs/postgres-due-work.js';
import { PostgresLedger } from '../../runs/postgres-ledger.js';
import { PostgresOutbox } from '../../runs/postgres-outbox.js';
import { SecretCipher } from '../../secrets/secret-cipher.js';
import { TenantSecrets } from '../../secrets/tenant-secrets.js';
import { RedisSnapshotStore } from '../../snapshots/redis-snapshot-store.js';
import { BreakingExecutor } from '../../tools/breaking-executor.js';
import { EditDocumentExecutor } from '../../tools/builtins/edit-document-executor.js';
import { GetArtifactExecutor } from '../../tools/builtins/get-artifact-executor.js';
import { LoadSkillExecutor } from '../../tools/builtins/load-skill-executor.js';
import { WriteDocumentExecutor } from '../../tools/builtins/write-document-executor.js';
import { ComfyUiExecutor } from '../../tools/comfyui/comfyui-executor.js';
import { HostPool } from '../../tools/comfyui/host-pool.js';
import { InputFileReader } from '../../tools/comfyui/input-files.js';
import { CurrentTimeExecutor } from '../../tools/current-time-executor.js';
import { Executors } from '../../tools/executors.js';
import { HttpExecutor } from '../../tools/http/http-executor.js';
import { RemoteJobs } from '../../tools/jobs/remote-jobs.js';
import { buildMcp } from '../../tools/mcp/build-mcp.js';
import { RemoteExecutor } from '../../tools/remote-executor.js';
import { PageReader } from '../../tools/web-fetch/page-reader.js';
import { WebFetchExecutor } from '../../tools/web-fetch/web-fetch-executor.js';
import { OldUploads } from '../../uploads/old-uploads.js';
import { StoredAttachments } from '../../uploads/stored-attachments.js';
import { Uploads } from '../../uploads/uploads.js';
import type { Environment } from '../config/environment.js';
import { publicUrlOf } from '../config/public-url.js';
import { TenantDatabase } from '../database/tenant-database.js';
import { Metrics } from '../metrics/metrics.js';
import { OutboundClient } from '../outbound/outbound-client.js';
import { OutboundPolicy } from '../outbound/outbound-policy.js';
import { TenantPolicies } from '../outbound/tenant-policies.js';
import { RandomIds } from '../random-ids.js';
import { RedisConnections } from '../redis/redis-connections.js';
import { RedisKeys } from '../redis/redis-keys.js';
import { RedisSubscriber } from '../redis/redis-subscriber.js';
import { systemClock } from '../system-clock.js';
import { cachedBreakerSettings, cachedEventTtl } from './tenant-settings.js';

export type Platform = Awaited<ReturnType<typeof buildPlatform>>;

/** What every role stands on: the adapters of the engine's ports, each made once a process. */
export async function buildPlatform(environment: Environment, logger: Logger) {
  // First: where it fails nothing is open yet.
  const storage = await openArtifactStore(environment);
  const clock = systemClock;
  const ids = new RandomIds(clock);
  const metrics = new Metrics(logger);
  const database = new TenantDatabase({
    url: environment.DATABASE_APP_URL,
    poolSize: environment.DATABASE_POOL_SIZE,
  });
  const redis = new RedisConnections({
    url: environment.REDIS_URL,
    ...(environment.REDIS_QUEUE_URL ? { queueUrl: environment.REDIS_QUEUE_URL } : {}),
    onError: (connection, error) => logger.warn({ err: error, connection }, 'redis connection'),
  });
  const onRedisError = (error: unknown) => logger.warn({ err: error }, 'redis');
  const onMarkError = (error: unknown) => logger.warn({ err: error }, 'could not mark events as published');
  const keys = new RedisKeys();
  const subscriber = new RedisSubscriber(redis.get('subscriber'), onRedisError);
  const secrets = new DerivedKeys(environment.PLINTH_SECRET);

  const replaced = environment.PLINTH_PREVIOUS_SECRET;
  const tenantSecrets = new TenantSecrets(
    database,
    clock,
    new SecretCipher(secrets, replaced === undefined ? [] : [new DerivedKeys(replaced)]),
  );

  const ledger = new PostgresLedger(database, clock);
  const approvals = new PostgresApprovals(database);
  const outbox = new PostgresOutbox(database, clock);
  const due = new PostgresDueWork(database);
  const agents = new PrismaAgentCatalog(database);
  const configs = new TenantConfigs(database, clock, { model: { name: environment.PLINTH_MODEL } });
  const config = new LayeredConfigSource(configs);
  const log = new RedisEventLog(redis.get('commands'), redis.get('once'), keys);
  const positions = new LogPositions(outbox);
  const marks = new PublishedMarks(outbox, clock, onMarkError);
  const ttlSeconds = cachedEventTtl(config, clock);
  const writer = new LogEventWriter({ outbox, log, positions, marks, ttlSeconds });
  const scheduler = new BullMqScheduler({
    queue: redis.get('queue'),
    commands: redis.get('commands'),
    keys,
    onError: onRedisError,
  });
  const snapshots = new Snapshots(
    new RedisSnapshotStore(redis.get('commands'), keys),
    new ZlibSnapshotCodec(),
    metrics,
  );
  const artifacts = storage.store;
  const uploads = new Uploads(database, clock, ids);
  const oldUploads = new OldUploads({ database, artifacts, clock });
  const images = buildImages({
    database,
    artifacts,
    clock,
    secrets,
    publicUrl: publicUrlOf(environment),
    allow: environment.PLINTH_IMAGE_ALLOW,
  });
  const versions = new ArtifactVersions({
    database,
    store: artifacts,
    writer,
    clock,
    onPublishError: (tenant, error) =>
      logger.warn({ err: error, tenant }, 'could not announce a new version of an artifact yet'),
  });
  const jobs = new RemoteJobs(database, clock);
  const policies = new TenantPolicies(configs, {
    allow: environment.PLINTH_OUTBOUND_ALLOW,
    tenantMayAllow: environment.PLINTH_OUTBOUND_TENANT_ALLOW,
  });
  const outbound = new OutboundClient(policies, clock);
  const identity = buildIdentity({ database, clock, outbound, metrics, logger });
  const comfyuiHosts = new HostPool(config, policies, clock);
  const mcp = buildMcp({
    database,
    clock,
    ids,
    artifacts,
    secrets: tenantSecrets,
    policies,
    logger,
  });
  // A model names these URLs: what a tenant opens for its own tools is not opened for them.
  const webPolicies = { of: async () => OutboundPolicy.allowing(environment.PLINTH_WEB_FETCH_ALLOW) };
  const pageReader = new PageReader();
  const runArtifacts = new RunArtifacts(database, ledger);
  const executors = {
    remote: new RemoteExecutor(outbound, jobs),
    http: new HttpExecutor({ outbound, secrets: tenantSecrets, artifacts, clock }),
    mcp: mcp.executor,
    mcp_directory: mcp.executor,
    comfyui: new ComfyUiExecutor(jobs, comfyuiHosts, new InputFileReader(database, artifacts)),
  };
  const executor = new BreakingExecutor(
    new Executors(executors, {
      current_time: new CurrentTimeExecutor(clock),
      get_artifact: new GetArtifactExecutor(runArtifacts, artifacts),
      write_document: new WriteDocumentExecutor({ artifacts: runArtifacts, versions, store: artifacts }),
      edit_document: new EditDocumentExecutor({ artifacts: runArtifacts, versions, store: artifacts }),
      load_skill: new LoadSkillExecutor(ledger, agents),
      web_fetch: new WebFetchExecutor(new OutboundClient(webPolicies, clock), pageReader),
    }),
    {
      settingsOf: cachedBreakerSettings(config, clock),
      onChange: (tenant, endpoint, is) =>
        logger.warn({ tenant, endpoint }, `the circuit of a tool's host is ${is}`),
    },
  );
  const door: DoorPorts = {
    ledger: withExpiryTimers(ledger, scheduler, onRedisError),
    writer,
    scheduler,
    agents,
    ids,
    clock,
    observer: metrics,
    config,
    snapshots,
    log,
    executor,
    artifacts,
    attachments: new StoredAttachments(database, uploads, images.importer),
  };

  return {
    environment,
    logger,
    clock,
    ids,
    metrics,
    database,
    redis,
    keys,
    subscriber,
    secrets,
    tenantSecrets,
    ledger,
    approvals,
    due,
    agents,
    configs,
    config,
    log,
    writer,
    scheduler,
    snapshots,
    storage,
    artifacts,
    uploads,
    oldUploads,
    images,
    versions,
    mcp,
    jobs,
    comfyuiHosts,
    outbound,
    identity,
    door,
    async close(): Promise<void> {
      images.close();
      identity.keys.close();
      await Promise.all([mcp.pools.close(), pageReader.close(), scheduler.close()]);
      await marks.close();
      storage.close();
      await redis.close();
      await database.close();
    },
  };
}
