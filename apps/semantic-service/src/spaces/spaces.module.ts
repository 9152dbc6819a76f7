import { IndexSpacesModule } from '@loci/indexing';
import { Module } from '@nestjs/common';
import { FeatureTable } from './feature-table.js';

const FEATURE_SPACES = IndexSpacesModule.forRoot({
  table: new FeatureTable(),
  prefix: 'features',
  defaultEmbedder: ({ semantic }) => semantic.embeddingModel,
});

/** Where the vectors of each set are. */
@Module({ imports: [FEATURE_SPACES], exports: [FEATURE_SPACES] })
export class SpacesModule {}
