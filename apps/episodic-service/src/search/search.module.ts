import { Embedder } from '@loci/models';
import { VectorIndex } from '@loci/vectors';
import { Module } from '@nestjs/common';
import { EpisodesModule } from '../episodes/episodes.module.js';
import { EpisodesRepository } from '../episodes/episodes.repository.js';
import { EpisodeIndexer } from '../indexing/episode-indexer.js';
import { IndexStateRepository } from '../indexing/index-state.repository.js';
import { IndexingModule } from '../indexing/indexing.module.js';
import { ProjectsModule } from '../projects/projects.module.js';
import { IndexTail } from './index-tail.js';
import { LongTermSearch } from './long-term-search.js';
import { SearchController } from './search.controller.js';
import { SearchService } from './search.service.js';

@Module({
  imports: [ProjectsModule, EpisodesModule, IndexingModule],
  controllers: [SearchController],
  providers: [
    SearchService,
    {
      provide: IndexTail,
      inject: [IndexStateRepository, EpisodeIndexer],
      useFactory: (state: IndexStateRepository, indexer: EpisodeIndexer) => new IndexTail(state, indexer),
    },
    {
      provide: LongTermSearch,
      inject: [EpisodesRepository, VectorIndex, Embedder, IndexTail],
      useFactory: (episodes: EpisodesRepository, vectors: VectorIndex, embedder: Embedder, tail: IndexTail) =>
        new LongTermSearch(episodes, vectors, embedder, tail),
    },
  ],
})
export class SearchModule {}
