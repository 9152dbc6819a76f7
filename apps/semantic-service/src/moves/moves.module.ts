import { MOVE_PROVIDERS } from '@loci/indexing';
import { ConsumerModule } from '@loci/messaging';
import { Module } from '@nestjs/common';
import { IndexingModule } from '../indexing/indexing.module.js';
import { ProjectsModule } from '../projects/projects.module.js';
import { ConfiguredProjects } from './configured-projects.js';
import { ConfiguredSets } from './configured-sets.js';
import { MoveMetrics } from './move-metrics.js';

/** The worker's side of changing embedders: begin to build, build, switch, remove what is left behind; and the other models that projects choose. */
@Module({
  imports: [ConsumerModule, IndexingModule, ProjectsModule],
  providers: [...MOVE_PROVIDERS, MoveMetrics, ConfiguredSets, ConfiguredProjects],
})
export class MovesModule {}
