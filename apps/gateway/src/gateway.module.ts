import { MessagePublisher, RpcClient } from '@loci/messaging';
import { Logger, Metrics } from '@loci/platform';
import { type DynamicModule, Module } from '@nestjs/common';
import { APP_FILTER, APP_GUARD, APP_PIPE, DiscoveryModule } from '@nestjs/core';
import { AccessModule } from './access/access.module.js';
import { AuditTrail } from './audit/audit-trail.js';
import { AuditController } from './audit/audit.controller.js';
import { ToolAudit } from './audit/tool-audit.js';
import { Databases } from './config/databases.js';
import { MemoryController } from './config/memory.controller.js';
import { ResourcesController } from './config/resources.controller.js';
import { ConsoleFiles } from './console/console-files.js';
import { ConsoleController } from './console/console.controller.js';
import { SessionController } from './console/session.controller.js';
import { ContextController } from './context/context.controller.js';
import { ProfileController } from './context/profile.controller.js';
import { SpokenUsers } from './context/spoken-users.js';
import { DocsController } from './docs/docs.controller.js';
import { GatewayEnv } from './env.js';
import { EventStreams } from './events/event-streams.js';
import { StreamShares } from './events/stream-shares.js';
import { EventsController } from './events/events.controller.js';
import { EpisodeGroupsController } from './memories/episode-groups.controller.js';
import { ForgettingController } from './forgetting/forgetting.controller.js';
import { EpisodicSettingsController } from './episodic-settings/episodic-settings.controller.js';
import { BodyTurns } from './http/body-turns.js';
import { IngestionController } from './ingestion/ingestion.controller.js';
import { ModelCallsController } from './ingestion/model-calls.controller.js';
import { PreviewController } from './ingestion/preview.controller.js';
import { KeysController } from './keys/keys.controller.js';
import { McpController } from './mcp/mcp.controller.js';
import { McpPrompts } from './mcp/mcp-prompts.js';
import { McpReads } from './mcp/mcp-reads.js';
import { McpResources } from './mcp/mcp-resources.js';
import { McpTools } from './mcp/mcp-tools.js';
import { McpWrites } from './mcp/mcp-writes.js';
import { ProtectedResourceController } from './mcp/protected-resource.controller.js';
import { MemorySearch } from './memories/memory-search.js';
import { MemoriesController } from './memories/memories.controller.js';
import { ProjectModelsController } from './projects/project-models.controller.js';
import { ProjectsController } from './projects/projects.controller.js';
import { QuotasController } from './quotas/quotas.controller.js';
import { SemanticCategoriesController } from './semantic-categories/semantic-categories.controller.js';
import { SemanticChangesController } from './semantic-features/semantic-changes.controller.js';
import { SemanticFeaturesController } from './semantic-features/semantic-features.controller.js';
import { RecallController } from './recall/recall.controller.js';
import { ConflictsController } from './semantic-conflicts/conflicts.controller.js';
import { ProposalsController } from './semantic-proposals/proposals.controller.js';
import { SemanticSetsController } from './semantic-sets/semantic-sets.controller.js';
import { SemanticSettingsController } from './semantic-settings/semantic-settings.controller.js';
import { CurrentStatistics } from './statistics/current-statistics.js';
import { ProcessReports } from './statistics/process-reports.js';
import { StatisticsController } from './statistics/statistics.controller.js';
import { StatisticsStreams } from './statistics/statistics-streams.js';
import { HealthController } from './system/health.controller.js';
import { MetricsController } from './system/metrics.controller.js';
import { ProbesController } from './system/probes.controller.js';
import { ServicesHealth } from './system/services-health.js';
import { ExportPages } from './transfer/export-pages.js';
import { ProjectExport } from './transfer/project-export.js';
import { ImportedProjects } from './transfer/imported-projects.js';
import { ProjectImport } from './transfer/project-import.js';
import { TransferController } from './transfer/transfer.controller.js';
import { ErrorFilter } from './wire/errors/error.filter.js';
import { NoteIgnoredFields } from './wire/ignored-fields.js';
import { WireBodyPipe } from './wire/wire-body.pipe.js';
import { WebhooksController } from './webhooks/webhooks.controller.js';

const CONTROLLERS = [
  ProjectsController,
  ProjectModelsController,
  MemoriesController,
  EpisodeGroupsController,
  ForgettingController,
  ContextController,
  ProfileController,
  RecallController,
  SemanticChangesController,
  SemanticFeaturesController,
  ProposalsController,
  ConflictsController,
  SemanticSetsController,
  SemanticCategoriesController,
  EpisodicSettingsController,
  SemanticSettingsController,
  IngestionController,
  PreviewController,
  ModelCallsController,
  ResourcesController,
  MemoryController,
  KeysController,
  WebhooksController,
  QuotasController,
  AuditController,
  EventsController,
  StatisticsController,
  HealthController,
  ProbesController,
  MetricsController,
  TransferController,
  McpController,
  ProtectedResourceController,
  DocsController,
  SessionController,
  ConsoleController,
];

/** Every route of the public API. Needs a global RpcClient, EventListener, Signals, MessagePublisher, Logger, Metrics and HealthChecks. */
@Module({})
export class GatewayModule {
  static forRoot(env: GatewayEnv): DynamicModule {
    return {
      module: GatewayModule,
      imports: [DiscoveryModule, AccessModule.forRoot(env)],
      controllers: CONTROLLERS,
      providers: [
        { provide: GatewayEnv, useValue: env },
        { provide: BodyTurns, useFactory: () => new BodyTurns(env.MAX_WAIT_MS) },
        { provide: APP_PIPE, useClass: WireBodyPipe },
        { provide: APP_GUARD, useClass: NoteIgnoredFields },
        { provide: APP_FILTER, useClass: ErrorFilter },
        {
          provide: AuditTrail,
          inject: [RpcClient, MessagePublisher, Logger, Metrics],
          useFactory: (rpc: RpcClient, publisher: MessagePublisher, logger: Logger, metrics: Metrics) =>
            new AuditTrail(rpc, publisher, logger, metrics),
        },
        ToolAudit,
        ServicesHealth,
        Databases,
        MemorySearch,
        SpokenUsers,
        McpReads,
        McpWrites,
        McpResources,
        McpPrompts,
        McpTools,
        ExportPages,
        ProjectExport,
        ProjectImport,
        ImportedProjects,
        ConsoleFiles,
        StreamShares,
        EventStreams,
        ProcessReports,
        CurrentStatistics,
        StatisticsStreams,
      ],
    };
  }
}
