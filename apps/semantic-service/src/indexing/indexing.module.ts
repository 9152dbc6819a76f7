import { Module } from '@nestjs/common';
import { VectorsModule } from '../vectors/vectors.module.js';
import { FeatureIndexer } from './feature-indexer.js';
import { IndexStateRepository } from './index-state.repository.js';
import { TypeormIndexStateRepository } from './typeorm-index-state.repository.js';

/** Indexing itself, for whoever has to do it: the worker, and a search that cannot wait for it. */
@Module({
  imports: [VectorsModule],
  providers: [FeatureIndexer, { provide: IndexStateRepository, useClass: TypeormIndexStateRepository }],
  exports: [VectorsModule, FeatureIndexer, IndexStateRepository],
})
export class IndexingModule {}
