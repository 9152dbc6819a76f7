import { Module } from '@nestjs/common';
import { IndexSpaces } from '../spaces/index-spaces.js';
import { SpacesModule } from '../spaces/spaces.module.js';
import { EpisodeIndexer } from './episode-indexer.js';
import { IndexStateRepository } from './index-state.repository.js';
import { TypeormIndexStateRepository } from './typeorm-index-state.repository.js';

/** Indexing itself, for whoever has to do it: the worker, and a search that cannot wait for it. */
@Module({
  imports: [SpacesModule],
  providers: [
    { provide: IndexStateRepository, useClass: TypeormIndexStateRepository },
    {
      provide: EpisodeIndexer,
      inject: [IndexSpaces, IndexStateRepository],
      useFactory: (spaces: IndexSpaces, state: IndexStateRepository) => new EpisodeIndexer(spaces, state),
    },
  ],
  exports: [SpacesModule, IndexStateRepository, EpisodeIndexer],
})
export class IndexingModule {}
