import { ContentIndexer, IndexVersions, UnindexedItems, WordStatistics } from '@loci/indexing';
import { SimilarityCurves } from '@loci/retrieval';
import { Module } from '@nestjs/common';
import { type Episode } from '../episodes/episode.js';
import { EpisodesModule } from '../episodes/episodes.module.js';
import { EpisodesRepository } from '../episodes/episodes.repository.js';
import { IndexStateRepository } from '../indexing/index-state.repository.js';
import { IndexingModule } from '../indexing/indexing.module.js';
import { MemoryModule } from '../memory/memory.module.js';
import { UnitOfWork } from '@loci/persistence';
import { ProjectsService } from '../projects/projects.service.js';
import { ProjectsModule } from '../projects/projects.module.js';
import { EpisodicServiceEnv } from '../env.js';
import { SummariesModule } from '../summaries/summaries.module.js';
import { textToMatch } from '../indexing/episode-points.js';
import { type EpisodeInContext } from '../indexing/episode-in-context.js';
import { LongTermSearch } from './long-term-search.js';
import { Rerankers } from './rerankers.js';
import { SearchController } from './search.controller.js';
import { searchWeights } from './search-weights.js';
import { SearchService } from './search.service.js';
import { SearchedProjects } from './searched-projects.js';
import { TurnsRepository } from './turns.repository.js';
import { UnsupportedLanguages } from './unsupported-languages.js';

@Module({
  imports: [ProjectsModule, EpisodesModule, IndexingModule, MemoryModule, SummariesModule],
  controllers: [SearchController],
  providers: [
    SearchService,
    Rerankers,
    {
      provide: SearchedProjects,
      inject: [UnitOfWork, ProjectsService],
      useFactory: (unitOfWork: UnitOfWork, projects: ProjectsService) =>
        new SearchedProjects(unitOfWork, projects),
    },
    TurnsRepository,
    UnsupportedLanguages,
    SimilarityCurves,
    {
      provide: UnindexedItems,
      inject: [IndexStateRepository, ContentIndexer, EpisodicServiceEnv],
      useFactory: (
        state: IndexStateRepository,
        indexer: ContentIndexer<EpisodeInContext>,
        env: EpisodicServiceEnv,
      ) =>
        new UnindexedItems<Episode>(
          { waiting: (project, most) => state.waiting(project, most), textOf: textToMatch },
          indexer,
          env.SEARCH_INDEX_BUDGET_MS,
        ),
    },
    {
      provide: LongTermSearch,
      inject: [
        EpisodesRepository,
        TurnsRepository,
        IndexVersions,
        UnindexedItems,
        WordStatistics,
        SimilarityCurves,
        EpisodicServiceEnv,
      ],
      useFactory: (
        episodes: EpisodesRepository,
        turns: TurnsRepository,
        indexVersions: IndexVersions,
        unindexed: UnindexedItems<Episode>,
        words: WordStatistics,
        curves: SimilarityCurves,
        env: EpisodicServiceEnv,
      ) =>
        new LongTermSearch({
          episodes,
          turns,
          indexVersions,
          unindexed,
          words,
          curves,
          weights: searchWeights(env),
        }),
    },
  ],
  exports: [UnsupportedLanguages],
})
export class SearchModule {}
