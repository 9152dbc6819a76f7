import { IndexVersionsModule } from '@loci/indexing';
import { Module } from '@nestjs/common';
import { EpisodeTable } from './episode-table.js';

const EPISODE_INDEX = IndexVersionsModule.forRoot({
  table: new EpisodeTable(),
  prefix: 'episodes',
  defaultEmbedder: ({ episodic }) => episodic.longTerm.embedder,
});

/** Where the vectors of each project are. */
@Module({ imports: [EPISODE_INDEX], exports: [EPISODE_INDEX] })
export class SearchIndexModule {}
