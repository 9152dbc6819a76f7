import { REEMBEDDING_PROVIDERS } from '@loci/indexing';
import { ConsumerModule } from '@loci/messaging';
import { Module } from '@nestjs/common';
import { IndexingModule } from '../indexing/indexing.module.js';
import { ProjectsModule } from '../projects/projects.module.js';
import { ConfiguredProjects } from './configured-projects.js';
import { ReembeddingMetrics } from './reembedding-metrics.js';

/** The worker's side of changing embedders: begin to build, build, switch, remove what is left behind. */
@Module({
  imports: [ConsumerModule, IndexingModule, ProjectsModule],
  providers: [...REEMBEDDING_PROVIDERS, ReembeddingMetrics, ConfiguredProjects],
})
export class ReembeddingModule {}
