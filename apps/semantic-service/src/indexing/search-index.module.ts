import { IndexVersionsModule } from '@loci/indexing';
import { Module } from '@nestjs/common';
import { FeatureTable } from './feature-table.js';

const FEATURE_INDEX = IndexVersionsModule.forRoot({
  table: new FeatureTable(),
  prefix: 'features',
  defaultEmbedder: ({ semantic }) => semantic.embeddingModel,
});

/** Where the vectors of each set are. */
@Module({ imports: [FEATURE_INDEX], exports: [FEATURE_INDEX] })
export class SearchIndexModule {}
