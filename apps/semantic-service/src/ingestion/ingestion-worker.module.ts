import { ConsumerModule } from '@loci/messaging';
import { Outbox, UnitOfWork } from '@loci/persistence';
import { Logger } from '@loci/platform';
import { Module } from '@nestjs/common';
import { CategoriesModule } from '../categories/categories.module.js';
import { ConsolidationsRepository } from './consolidation/consolidations.repository.js';
import { Consolidator } from './consolidation/consolidator.js';
import { SemanticServiceEnv } from '../env.js';
import { ErasureModule } from '../erasure/erasure.module.js';
import { FeaturesModule } from '../features/features.module.js';
import { BacklogErasure } from './intake/backlog-erasure.js';
import { BacklogRepository } from './intake/backlog.repository.js';
import { EpisodeIntake } from './intake/episode-intake.js';
import { IngestionSwitch, RegistrySwitch } from './intake/ingestion-switch.js';
import { IntakeConsumer } from './intake/intake-consumer.js';
import { IntakeService } from './intake/intake.service.js';
import { RegistryTriggers, TriggersSource } from './intake/triggers-source.js';
import { IngestionMetrics } from './jobs/ingestion-metrics.js';
import { JobKeeper } from './jobs/job-keeper.js';
import { JobRunner } from './passes/job-runner.js';
import { JobsRepository } from './jobs/jobs.repository.js';
import { Scheduler } from './jobs/scheduler.js';
import { SetWorkers } from './passes/set-workers.js';
import { WorkSlots } from './passes/work-slots.js';
import { ProjectsModule } from '../projects/projects.module.js';
import { CursorsRepository } from './reconciliation/cursors.repository.js';
import { MissedEpisodes } from './reconciliation/missed-episodes.js';
import { NotedEpisodesRepository } from './reconciliation/noted-episodes.repository.js';
import { ReconciliationKeeper } from './reconciliation/reconciliation-keeper.js';
import { VanishedEpisodes } from './reconciliation/vanished-episodes.js';
import { SearchModule } from '../search/search.module.js';
import { SetsModule } from '../sets/sets.module.js';
import { ModelQuotas } from './usage/model-quotas.js';
import { UsageRepository } from './usage/usage.repository.js';
import { CategoryIngester } from './extraction/category-ingester.js';
import { EpisodeSource } from './extraction/episode-source.js';
import { FeatureStore } from './extraction/feature-store.js';
import { IngestConsumer } from './passes/ingest-consumer.js';
import { IngestionModels, RegistryModels } from './extraction/ingestion-models.js';
import { IngestionSets } from './extraction/ingestion-sets.js';
import { LedgerFeatureStore } from './extraction/ledger-feature-store.js';
import { MessagesRepository } from './extraction/messages.repository.js';
import { RegisteredSets } from './extraction/registered-sets.js';
import { RpcEpisodeSource } from './extraction/rpc-episode-source.js';
import { SetIngester } from './passes/set-ingester.js';
import { UnfinishedMessages } from './extraction/unfinished-messages.js';
import { UnfinishedPasses } from './passes/unfinished-passes.js';

const PORTS = [
  BacklogRepository,
  { provide: TriggersSource, useClass: RegistryTriggers },
  { provide: IngestionSwitch, useClass: RegistrySwitch },
  JobsRepository,
  MessagesRepository,
  UsageRepository,
  ModelQuotas,
  { provide: EpisodeSource, useClass: RpcEpisodeSource },
  { provide: FeatureStore, useClass: LedgerFeatureStore },
  { provide: IngestionModels, useClass: RegistryModels },
  { provide: IngestionSets, useClass: RegisteredSets },
];

/** Everything from the news of an episode to the features that are drawn from it. */
@Module({
  imports: [
    ConsumerModule,
    ErasureModule,
    ProjectsModule,
    SetsModule,
    CategoriesModule,
    FeaturesModule,
    SearchModule,
  ],
  providers: [
    ...PORTS,
    IntakeService,
    EpisodeIntake,
    IntakeConsumer,
    CursorsRepository,
    MissedEpisodes,
    NotedEpisodesRepository,
    VanishedEpisodes,
    ReconciliationKeeper,
    BacklogErasure,
    Scheduler,
    JobKeeper,
    IngestionMetrics,
    ConsolidationsRepository,
    Consolidator,
    UnfinishedMessages,
    UnfinishedPasses,
    CategoryIngester,
    SetIngester,
    IngestConsumer,
    {
      provide: JobRunner,
      inject: [
        JobsRepository,
        SetIngester,
        UnfinishedPasses,
        MessagesRepository,
        TriggersSource,
        IngestionSwitch,
        UnitOfWork,
        Outbox,
        Logger,
        SemanticServiceEnv,
      ],
      useFactory: (
        jobs: JobsRepository,
        ingester: SetIngester,
        unfinished: UnfinishedPasses,
        messages: MessagesRepository,
        triggers: TriggersSource,
        ingestion: IngestionSwitch,
        unitOfWork: UnitOfWork,
        outbox: Outbox,
        logger: Logger,
        env: SemanticServiceEnv,
      ) =>
        new JobRunner(
          jobs,
          ingester,
          unfinished,
          messages,
          triggers,
          ingestion,
          unitOfWork,
          outbox,
          logger,
          env.INGESTION_LEASE_MS,
        ),
    },
    {
      provide: SetWorkers,
      inject: [JobRunner, IngestionModels, Logger, SemanticServiceEnv],
      useFactory: (runner: JobRunner, models: IngestionModels, logger: Logger, env: SemanticServiceEnv) => {
        const weights = env.orgWeights;
        return new SetWorkers({
          runner,
          slots: new WorkSlots({
            concurrency: env.INGESTION_CONCURRENCY,
            orgShare: env.INGESTION_ORG_SHARE,
            modelShare: env.INGESTION_MODEL_SHARE,
          }),
          defaultModel: () => models.defaultName,
          weightOf: (orgId) => weights.get(orgId) ?? 1,
          logger,
        });
      },
    },
  ],
})
export class IngestionWorkerModule {}
