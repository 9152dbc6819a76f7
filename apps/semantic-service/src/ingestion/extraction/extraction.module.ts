import { Module } from '@nestjs/common';
import { CategoriesModule } from '../../categories/categories.module.js';
import { FeaturesModule } from '../../features/features.module.js';
import { ProjectsModule } from '../../projects/projects.module.js';
import { ProposalsStoreModule } from '../../proposals/proposals-store.module.js';
import { SearchModule } from '../../search/search.module.js';
import { JobsModule } from '../jobs/jobs.module.js';
import { ModelCallsModule } from '../model-calls/model-calls.module.js';
import { BatchReader } from './batch-reader.js';
import { CategoryIngester } from './category-ingester.js';
import { EpisodeSource } from './episode-source.js';
import { ExtractionQuestions } from './extraction-questions.js';
import { FeatureStore } from './feature-store.js';
import { IngestionModels, RegistryModels } from './ingestion-models.js';
import { IngestionPartitions } from './ingestion-partitions.js';
import { IngestionSets } from './ingestion-sets.js';
import { WrittenFeatureStore } from './written-feature-store.js';
import { MessagesRepository } from './messages.repository.js';
import { RegisteredSets } from './registered-sets.js';
import { RpcEpisodeSource } from './rpc-episode-source.js';
import { TooLongRequests } from './too-long-requests.js';
import { UnfinishedMessages } from './unfinished-messages.js';

/** From the waiting messages of a set to the features that a model draws from them, category by category. */
@Module({
  imports: [
    JobsModule,
    ModelCallsModule,
    ProjectsModule,
    CategoriesModule,
    FeaturesModule,
    ProposalsStoreModule,
    SearchModule,
  ],
  providers: [
    MessagesRepository,
    { provide: EpisodeSource, useClass: RpcEpisodeSource },
    { provide: FeatureStore, useClass: WrittenFeatureStore },
    { provide: IngestionModels, useClass: RegistryModels },
    { provide: IngestionSets, useClass: RegisteredSets },
    UnfinishedMessages,
    IngestionPartitions,
    ExtractionQuestions,
    TooLongRequests,
    BatchReader,
    CategoryIngester,
  ],
  exports: [
    MessagesRepository,
    FeatureStore,
    IngestionModels,
    IngestionSets,
    UnfinishedMessages,
    IngestionPartitions,
    ExtractionQuestions,
    BatchReader,
    CategoryIngester,
  ],
})
export class ExtractionModule {}
