import { ContentIndexer, UnindexedItems } from '@loci/indexing';
import { Registry } from '@loci/registry';
import { Module } from '@nestjs/common';
import { FeaturesModule } from '../features/features.module.js';
import { type IndexedFeature } from '../indexing/feature-points.js';
import { IndexStateRepository } from '../indexing/index-state.repository.js';
import { IndexingModule } from '../indexing/indexing.module.js';
import { ProjectsModule } from '../projects/projects.module.js';
import { ProjectsService } from '../projects/projects.service.js';
import { SetsModule } from '../sets/sets.module.js';
import { FeatureContext } from './feature-context.js';
import { FeatureSearch } from './feature-search.js';
import { Rerankers } from './rerankers.js';
import { SearchService } from './search.service.js';

@Module({
  imports: [ProjectsModule, SetsModule, FeaturesModule, IndexingModule],
  providers: [
    SearchService,
    FeatureSearch,
    FeatureContext,
    {
      provide: Rerankers,
      inject: [Registry, ProjectsService],
      useFactory: (registry: Registry, projects: ProjectsService) => new Rerankers(registry, projects),
    },
    {
      provide: UnindexedItems,
      inject: [IndexStateRepository, ContentIndexer],
      useFactory: (state: IndexStateRepository, indexer: ContentIndexer<IndexedFeature>) =>
        new UnindexedItems(state, indexer),
    },
  ],
  exports: [SearchService, FeatureContext],
})
export class SearchModule {}
