import { ContentIndexer, UnindexedItems } from '@loci/indexing';
import { UnitOfWork } from '@loci/persistence';
import { Registry } from '@loci/registry';
import { SimilarityCurves } from '@loci/retrieval';
import { Module } from '@nestjs/common';
import { SemanticServiceEnv } from '../env.js';
import { featureText } from '../features/feature.js';
import { FeaturesModule } from '../features/features.module.js';
import { type IndexedFeature } from '../indexing/feature-points.js';
import { IndexStateRepository } from '../indexing/index-state.repository.js';
import { IndexingModule } from '../indexing/indexing.module.js';
import { ProjectsModule } from '../projects/projects.module.js';
import { ProjectsService } from '../projects/projects.service.js';
import { SetsModule } from '../sets/sets.module.js';
import { SubjectsModule } from '../subjects/subjects.module.js';
import { FeatureContext } from './feature-context.js';
import { FeatureSearch } from './feature-search.js';
import { KnownFeaturesRepository } from './known-features.repository.js';
import { Rerankers } from './rerankers.js';
import { SetsToSearch } from './sets-to-search.js';
import { SearchService } from './search.service.js';

@Module({
  imports: [ProjectsModule, SetsModule, FeaturesModule, IndexingModule, SubjectsModule],
  providers: [
    SearchService,
    FeatureSearch,
    SimilarityCurves,
    FeatureContext,
    KnownFeaturesRepository,
    {
      provide: SetsToSearch,
      inject: [UnitOfWork, ProjectsService],
      useFactory: (unitOfWork: UnitOfWork, projects: ProjectsService) =>
        new SetsToSearch(unitOfWork, projects),
    },
    {
      provide: Rerankers,
      inject: [Registry, ProjectsService],
      useFactory: (registry: Registry, projects: ProjectsService) => new Rerankers(registry, projects),
    },
    {
      provide: UnindexedItems,
      inject: [IndexStateRepository, ContentIndexer, SemanticServiceEnv],
      useFactory: (
        state: IndexStateRepository,
        indexer: ContentIndexer<IndexedFeature>,
        env: SemanticServiceEnv,
      ) =>
        new UnindexedItems<IndexedFeature>(
          { waiting: (set, most) => state.waiting(set, most), textOf: featureText },
          indexer,
          env.SEARCH_INDEX_BUDGET_MS,
        ),
    },
  ],
  exports: [SearchService, FeatureContext],
})
export class SearchModule {}
