import { IndexSpacesModule } from '@loci/indexing';
import { Module } from '@nestjs/common';
import { EpisodeTable } from './episode-table.js';

const EPISODE_SPACES = IndexSpacesModule.forRoot({
  table: new EpisodeTable(),
  prefix: 'episodes',
  defaultEmbedder: ({ episodic }) => episodic.longTerm.embedder,
});

/** Where the vectors of each project are. */
@Module({ imports: [EPISODE_SPACES], exports: [EPISODE_SPACES] })
export class SpacesModule {}
