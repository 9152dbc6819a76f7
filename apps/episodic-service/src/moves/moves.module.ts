import { ConsumerModule } from '@loci/messaging';
import { Module } from '@nestjs/common';
import { IndexingModule } from '../indexing/indexing.module.js';
import { ProjectsModule } from '../projects/projects.module.js';
import { ConfiguredProjects } from './configured-projects.js';
import { MoveKeeper } from './move-keeper.js';
import { MoveMetrics } from './move-metrics.js';
import { MovePlanner } from './move-planner.js';
import { RetiredSpaces } from './retired-spaces.js';
import { SpaceBuilder } from './space-builder.js';

/** The worker's side of changing embedders: begin to build, build, switch, remove what is left behind. */
@Module({
  imports: [ConsumerModule, IndexingModule, ProjectsModule],
  providers: [MovePlanner, SpaceBuilder, RetiredSpaces, MoveKeeper, MoveMetrics, ConfiguredProjects],
})
export class MovesModule {}
