import { Embedder } from '@loci/models';
import { VectorIndex } from '@loci/vectors';
import { Module } from '@nestjs/common';
import { VectorsModule } from '../vectors/vectors.module.js';
import { EpisodeIndexer } from './episode-indexer.js';
import { IndexStateRepository } from './index-state.repository.js';
import { TypeormIndexStateRepository } from './typeorm-index-state.repository.js';

/** Indexing itself, for whoever has to do it: the worker, and a search that cannot wait for it. */
@Module({
  imports: [VectorsModule],
  providers: [
    { provide: IndexStateRepository, useClass: TypeormIndexStateRepository },
    {
      provide: EpisodeIndexer,
      inject: [Embedder, VectorIndex, IndexStateRepository],
      useFactory: (embedder: Embedder, vectors: VectorIndex, state: IndexStateRepository) =>
        new EpisodeIndexer(embedder, vectors, state),
    },
  ],
  exports: [VectorsModule, IndexStateRepository, EpisodeIndexer],
})
export class IndexingModule {}
