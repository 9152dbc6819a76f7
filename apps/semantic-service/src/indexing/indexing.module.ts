import { ContentIndexer, IndexedContent, WordStatistics } from '@loci/indexing';
import { Module } from '@nestjs/common';
import { SearchIndexModule } from './search-index.module.js';
import { IndexStateRepository } from './index-state.repository.js';
import { IndexedFeatures } from './indexed-features.js';

/** Indexing itself, for those that do it: the worker, and a search that cannot wait for it. */
@Module({
  imports: [SearchIndexModule],
  providers: [
    IndexStateRepository,
    { provide: IndexedContent, useClass: IndexedFeatures },
    ContentIndexer,
    WordStatistics,
  ],
  exports: [SearchIndexModule, IndexStateRepository, IndexedContent, ContentIndexer, WordStatistics],
})
export class IndexingModule {}
