import { episodicProjectsErased } from '@loci/contracts';
import { ConsumerModule } from '@loci/messaging';
import { ErasedProjectsModule } from '@loci/persistence';
import { Module } from '@nestjs/common';
import { SCHEMA } from '../database.js';
import { DeletionWorkModule } from '../deletions/deletion-work.module.js';
import { EpisodesModule } from '../episodes/episodes.module.js';
import { ProjectsModule } from '../projects/projects.module.js';
import { SearchIndexModule } from '../indexing/search-index.module.js';
import { SummariesModule } from '../summaries/summaries.module.js';
import { DeletedProjects } from './deleted-projects.js';
import { ProjectEraser } from './project-eraser.js';

@Module({
  imports: [
    ConsumerModule,
    ProjectsModule,
    EpisodesModule,
    SearchIndexModule,
    SummariesModule,
    DeletionWorkModule,
    ErasedProjectsModule.forRoot({
      schema: SCHEMA,
      projectTables: ['episodes'],
      announcement: episodicProjectsErased,
    }),
  ],
  providers: [ProjectEraser, DeletedProjects],
})
export class ErasureModule {}
