import { type DynamicModule, Module, type Provider, type Type } from '@nestjs/common';
import { APP_FILTER, APP_GUARD, Reflector } from '@nestjs/core';
import type { ArtifactId, RunId, TenantId } from '@plinth/protocol';
import { AgentReader } from '../../agents/agent-reader.js';
import { AgentsController } from '../../agents/agents.controller.js';
import { AgentPublisher } from '../../agents/publish-agent.js';
import { AguiController } from '../../agui/agui.controller.js';
import { AguiAnswers } from '../../agui/agui-answers.js';
import { AguiAttachments } from '../../agui/agui-attachments.js';
import { AguiHistory } from '../../agui/agui-history.js';
import { AguiRuns } from '../../agui/agui-runs.js';
import { AguiThreads } from '../../agui/agui-threads.js';
import { ArtifactReader } from '../../artifacts/artifact-reader.js';
import { ArtifactVersions } from '../../artifacts/artifact-versions.js';
import { ArtifactsController } from '../../artifacts/artifacts.controller.js';
import { ContentUrls } from '../../artifacts/content-url.js';
import { ApiKeys } from '../../auth/api-keys.js';
import { Authenticator } from '../../auth/authenticate.js';
import { AccessTokens } from '../../auth/identity-providers/access-tokens.js';
import { KeyFetcher } from '../../auth/identity-providers/fetch-keys.js';
import { IdentityProvidersController } from '../../auth/identity-providers/identity-providers.controller.js';
import { IdentityProviders } from '../../auth/identity-providers/identity-providers.js';
import { SessionTokensController } from '../../auth/session-tokens.controller.js';
import { SessionTokens } from '../../auth/session-tokens.js';
import { ConfigController } from '../../config/config.controller.js';
import { TenantConfigs } from '../../config/tenant-configs.js';
import { RunContextController } from '../../context/run-context.controller.js';
import { RunContexts } from '../../context/run-contexts.js';
import { EventFeed } from '../../events/event-feed.js';
import { EventHub } from '../../events/event-hub.js';
import { EventReader } from '../../events/event-reader.js';
import { EventsController } from '../../events/events.controller.js';
import { ImageVariantRows } from '../../images/image-variant-rows.js';
import { ImagesController } from '../../images/images.controller.js';
import { SentVariants } from '../../images/sent-variants.js';
import { VariantUrls } from '../../images/variant-urls.js';
import { ApprovalsController } from '../../interrupts/approvals.controller.js';
import { InterruptsController } from '../../interrupts/interrupts.controller.js';
import { PostgresApprovals } from '../../interrupts/postgres-approvals.js';
import { MessageViews } from '../../runs/message-views.js';
import { MessagesController } from '../../runs/messages.controller.js';
import { loadWholeRun } from '../../runs/postgres-whole-run.js';
import { RunReader } from '../../runs/run-reader.js';
import { RunsController } from '../../runs/runs.controller.js';
import { SecretsController } from '../../secrets/secrets.controller.js';
import { TenantSecrets } from '../../secrets/tenant-secrets.js';
import { SkillRegistry } from '../../skills/skill-registry.js';
import { SkillsController } from '../../skills/skills.controller.js';
import { BranchesController } from '../../threads/branches.controller.js';
import { ThreadReader } from '../../threads/thread-reader.js';
import { ThreadsController } from '../../threads/threads.controller.js';
import { Threads } from '../../threads/threads.js';
import { CallbackSignatures } from '../../tools/callback-signatures.js';
import { CallbacksController } from '../../tools/callbacks.controller.js';
import { Callbacks } from '../../tools/callbacks.js';
import { ComfyUiImportController } from '../../tools/comfyui/import/comfyui-import.controller.js';
import { WorkflowImport } from '../../tools/comfyui/import/import-workflow.js';
import { McpImporter } from '../../tools/mcp/import-mcp-tools.js';
import { McpServersController } from '../../tools/mcp/mcp-servers.controller.js';
import { McpServers } from '../../tools/mcp/mcp-servers.js';
import { OpenApiImporter } from '../../tools/openapi/import-openapi.js';
import { OpenApiImportController } from '../../tools/openapi/openapi-import.controller.js';
import { ToolReader } from '../../tools/tool-reader.js';
import { ToolRegistry } from '../../tools/tool-registry.js';
import { ToolsController } from '../../tools/tools.controller.js';
import { UploadsController } from '../../uploads/uploads.controller.js';
import { Uploads } from '../../uploads/uploads.js';
import { PlatformController, type Readiness } from '../health/platform.controller.js';
import { PrincipalGuard } from '../http/principal-guard.js';
import { ProblemFilter } from '../http/problem-filter.js';
import { Metrics } from '../metrics/metrics.js';
import { openApiDocument } from '../openapi/document.js';
import { API_DOCUMENT, ARTIFACT_STORE, CLOCK, DOOR_PORTS, READINESS, SHUTDOWN } from '../tokens.js';
import type { Platform } from './build-platform.js';

const API_CONTROLLERS: Type[] = [
  SessionTokensController,
  IdentityProvidersController,
  ThreadsController,
  BranchesController,
  RunsController,
  MessagesController,
  RunContextController,
  EventsController,
  InterruptsController,
  ApprovalsController,
  CallbacksController,
  ArtifactsController,
  UploadsController,
  ImagesController,
  ConfigController,
  SecretsController,
  OpenApiImportController,
  McpServersController,
  ComfyUiImportController,
  SkillsController,
  ToolsController,
  AgentsController,
  AguiController,
];

function readinessOf({ database, redis }: Platform): Readiness {
  return {
    postgres: () => database.ping(),
    redis: async () => void (await redis.get('commands').ping()),
    queue: async () => void (await redis.get('queue').ping()),
  };
}

function apiProviders(platform: Platform, publicUrl: string): Provider[] {
  const { clock, ids, database, subscriber, keys, secrets, redis, ledger, agents } = platform;
  const feed = new EventFeed(
    new EventReader(redis.get('commands'), keys),
    new EventHub(subscriber, keys),
    clock,
  );
  const runs = new RunReader(database);
  const threads = new ThreadReader(database);
  const views = new MessageViews(ledger, agents);
  const urls = new ContentUrls(secrets, clock);
  const contentUrl = (tenant: TenantId, id: string) =>
    publicUrl + urls.sign(tenant, { id: id as ArtifactId, version: 1 }).path;
  return [
    { provide: SessionTokens, useValue: new SessionTokens(secrets, clock, () => ids.next('apiKey')) },
    { provide: ApiKeys, useValue: new ApiKeys(database, clock, ids) },
    { provide: IdentityProviders, useValue: platform.identity.providers },
    { provide: KeyFetcher, useValue: platform.identity.fetcher },
    { provide: AccessTokens, useValue: platform.identity.tokens },
    { provide: ThreadReader, useValue: threads },
    { provide: Threads, useValue: new Threads(database, clock, ids) },
    { provide: RunReader, useValue: runs },
    { provide: MessageViews, useValue: views },
    { provide: RunContexts, useValue: runContexts(platform) },
    { provide: EventFeed, useValue: feed },
    { provide: Callbacks, useValue: new Callbacks(database) },
    { provide: CallbackSignatures, useValue: new CallbackSignatures(ledger, agents, platform.tenantSecrets) },
    { provide: ArtifactReader, useValue: new ArtifactReader(database) },
    { provide: ArtifactVersions, useValue: platform.versions },
    { provide: ContentUrls, useValue: urls },
    { provide: ImageVariantRows, useValue: platform.images.rows },
    { provide: VariantUrls, useValue: platform.images.urls },
    { provide: McpServers, useValue: platform.mcp.servers },
    { provide: McpImporter, useValue: platform.mcp.importer },
    { provide: SkillRegistry, useValue: new SkillRegistry(database, clock, ids) },
    { provide: TenantConfigs, useValue: platform.configs },
    { provide: ToolRegistry, useValue: new ToolRegistry(database, clock, ids) },
    { provide: ToolReader, useValue: new ToolReader(database) },
    { provide: AgentPublisher, useValue: new AgentPublisher(database, clock, ids) },
    { provide: AgentReader, useValue: new AgentReader(database) },
    { provide: PostgresApprovals, useValue: platform.approvals },
    { provide: TenantSecrets, useValue: platform.tenantSecrets },
    {
      provide: OpenApiImporter,
      useValue: new OpenApiImporter(new ToolRegistry(database, clock, ids), platform.outbound),
    },
    {
      provide: WorkflowImport,
      useValue: new WorkflowImport(platform.comfyuiHosts, new ToolRegistry(database, clock, ids)),
    },
    { provide: DOOR_PORTS, useValue: platform.door },
    { provide: Uploads, useValue: platform.uploads },
    { provide: AguiHistory, useValue: new AguiHistory(threads, views, contentUrl) },
    {
      provide: AguiRuns,
      useValue: new AguiRuns(
        platform.door,
        new AguiThreads(database, clock, ids),
        new AguiAnswers(platform.door),
        new AguiAttachments(platform.door, platform.uploads, platform.artifacts, platform.configs, publicUrl),
        threads,
        runs,
        views,
      ),
    },
    { provide: ARTIFACT_STORE, useValue: platform.artifacts },
  ];
}

function runContexts({ database, ledger, agents, config, images, artifacts }: Platform): RunContexts {
  const runs = {
    load: (tenant: TenantId, runId: RunId) => loadWholeRun(database, tenant, runId),
  };
  const pictures = new SentVariants(images.rows, artifacts, images.urls);
  return new RunContexts(ledger, { runs, agents, config, pictures });
}

const guardProvider: Provider = {
  provide: APP_GUARD,
  inject: [Reflector, ApiKeys, SessionTokens, AccessTokens, Metrics],
  useFactory: (
    reflector: Reflector,
    apiKeys: ApiKeys,
    sessionTokens: SessionTokens,
    accessTokens: AccessTokens,
    metrics: Metrics,
  ) => {
    const authenticator = new Authenticator(apiKeys, sessionTokens, accessTokens, (tenant, reason) =>
      metrics.accessTokenRefused(tenant, reason),
    );
    return new PrincipalGuard(reflector, (authorization) => authenticator.authenticate(authorization));
  },
};

@Module({})
class AppModule {}

/** What a process serves. The API document is read off these. */
export const controllersOf = ({ servesApi }: { servesApi: boolean }): Type[] => [
  PlatformController,
  ...(servesApi ? API_CONTROLLERS : []),
];

/** The Nest module of one process. A worker serves the platform's own endpoints only. */
export function appModule(
  platform: Platform,
  options: { servesApi: boolean; publicUrl: string; shutdown: AbortSignal },
): DynamicModule {
  const { servesApi, publicUrl, shutdown } = options;
  const controllers = controllersOf({ servesApi });
  const document = openApiDocument(controllers, publicUrl);
  return {
    module: AppModule,
    controllers,
    providers: [
      { provide: Metrics, useValue: platform.metrics },
      { provide: READINESS, useValue: readinessOf(platform) },
      { provide: API_DOCUMENT, useValue: () => document },
      { provide: CLOCK, useValue: platform.clock },
      { provide: SHUTDOWN, useValue: shutdown },
      { provide: APP_FILTER, useValue: new ProblemFilter(platform.logger) },
      ...(servesApi ? [...apiProviders(platform, publicUrl), guardProvider] : []),
    ],
  };
}
