import { semanticProjectsErased } from '@loci/contracts';
import { ConsumerModule } from '@loci/messaging';
import { ErasedProjectsModule, type ErasedProjectsOptions } from '@loci/persistence';
import { Module } from '@nestjs/common';
import { SCHEMA } from '../database.js';
import { FeaturesModule } from '../features/features.module.js';
import { BacklogModule } from '../ingestion/backlog/backlog.module.js';
import { ProjectsModule } from '../projects/projects.module.js';
import { SearchIndexModule } from '../indexing/search-index.module.js';
import { EpisodeForgetter } from './episode-forgetter.js';
import { ErasureConsumers } from './erasure-consumers.js';
import { ErasureRepository } from './erasure.repository.js';
import { ProjectEraser } from './project-eraser.js';

/** Nothing is left of a project when none of these tables has a row of it. */
export const ERASED_PROJECTS: ErasedProjectsOptions = {
  schema: SCHEMA,
  projectTables: [
    'features',
    'citations',
    'proposals',
    'categories',
    'sets',
    'set_types',
    'messages_without_set',
  ],
  announcement: semanticProjectsErased,
};

@Module({
  imports: [
    ConsumerModule,
    BacklogModule,
    ProjectsModule,
    FeaturesModule,
    SearchIndexModule,
    ErasedProjectsModule.forRoot(ERASED_PROJECTS),
  ],
  providers: [ErasureConsumers, EpisodeForgetter, ProjectEraser, ErasureRepository],
  exports: [EpisodeForgetter],
})
export class ErasureModule {}
