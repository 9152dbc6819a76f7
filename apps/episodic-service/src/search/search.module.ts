import { Module } from '@nestjs/common';
import { EpisodesModule } from '../episodes/episodes.module.js';
import { EpisodesRepository } from '../episodes/episodes.repository.js';
import { EpisodeIndexer } from '../indexing/episode-indexer.js';
import { IndexStateRepository } from '../indexing/index-state.repository.js';
import { IndexingModule } from '../indexing/indexing.module.js';
import { MemoryModule } from '../memory/memory.module.js';
import { ProjectsModule } from '../projects/projects.module.js';
import { EpisodicServiceEnv } from '../env.js';
import { IndexSpaces } from '../spaces/index-spaces.js';
import { SummariesModule } from '../summaries/summaries.module.js';
import { IndexTail } from './index-tail.js';
import { LongTermSearch } from './long-term-search.js';
import { Rerankers } from './rerankers.js';
import { SearchController } from './search.controller.js';
import { searchWeights } from './search-weights.js';
import { SearchService } from './search.service.js';
import { TurnsRepository } from './turns.repository.js';
import { TypeormTurnsRepository } from './typeorm-turns.repository.js';

@Module({
  imports: [ProjectsModule, EpisodesModule, IndexingModule, MemoryModule, SummariesModule],
  controllers: [SearchController],
  providers: [
    SearchService,
    Rerankers,
    { provide: TurnsRepository, useClass: TypeormTurnsRepository },
    {
      provide: IndexTail,
      inject: [IndexStateRepository, EpisodeIndexer],
      useFactory: (state: IndexStateRepository, indexer: EpisodeIndexer) => new IndexTail(state, indexer),
    },
    {
      provide: LongTermSearch,
      inject: [EpisodesRepository, TurnsRepository, IndexSpaces, IndexTail, EpisodicServiceEnv],
      useFactory: (
        episodes: EpisodesRepository,
        turns: TurnsRepository,
        spaces: IndexSpaces,
        tail: IndexTail,
        env: EpisodicServiceEnv,
      ) => new LongTermSearch({ episodes, turns, spaces, tail, weights: searchWeights(env) }),
    },
  ],
})
export class SearchModule {}
