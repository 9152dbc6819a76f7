import { ConsumerModule } from '@loci/messaging';
import { Outbox, UnitOfWork } from '@loci/persistence';
import { Logger } from '@loci/platform';
import { Module } from '@nestjs/common';
import { SemanticServiceEnv } from '../../env.js';
import { ConsolidationModule } from '../consolidation/consolidation.module.js';
import { ExtractionModule } from '../extraction/extraction.module.js';
import { IngestionModels } from '../extraction/ingestion-models.js';
import { MessagesRepository } from '../extraction/messages.repository.js';
import { IntakeModule } from '../intake/intake.module.js';
import { JobsModule } from '../jobs/jobs.module.js';
import { JobsRepository } from '../jobs/jobs.repository.js';
import { CallExpiry } from '../model-calls/call-expiry.js';
import { ModelCallsModule } from '../model-calls/model-calls.module.js';
import { IngestionSwitch } from '../settings/ingestion-switch.js';
import { SettingsModule } from '../settings/settings.module.js';
import { TriggersSource } from '../settings/triggers-source.js';
import { UsageModule } from '../usage/usage.module.js';
import { IngestConsumer } from './ingest-consumer.js';
import { JobTasks } from './job-tasks.js';
import { JobRunner } from './job-runner.js';
import { PassFailures } from './pass-failures.js';
import { SetIngester } from './set-ingester.js';
import { SetWorkers } from './set-workers.js';
import { UnfinishedPasses } from './unfinished-passes.js';
import { WorkSlots } from './work-slots.js';

/** A claim is worth it, and its end is not far: statements that pass over messages of passes before read few of them. */
const GO_ON_MS = 1_000;

/** A pass claims a due set, ingests its categories and consolidates what has grown. */
@Module({
  imports: [
    ConsumerModule,
    IntakeModule,
    JobsModule,
    ExtractionModule,
    ConsolidationModule,
    UsageModule,
    SettingsModule,
    ModelCallsModule,
  ],
  providers: [
    PassFailures,
    SetIngester,
    UnfinishedPasses,
    IngestConsumer,
    JobTasks,
    CallExpiry,
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
        new JobRunner(jobs, ingester, unfinished, messages, triggers, ingestion, unitOfWork, outbox, logger, {
          leaseMs: env.INGESTION_LEASE_MS,
          goOnMs: GO_ON_MS,
        }),
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
          pausedModels: () => models.paused,
          weightOf: (orgId) => weights.get(orgId) ?? 1,
          logger,
        });
      },
    },
  ],
})
export class PassesModule {}
