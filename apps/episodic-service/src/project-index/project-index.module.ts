import { Module } from '@nestjs/common';
import { IndexingModule } from '../indexing/indexing.module.js';
import { ProjectsModule } from '../projects/projects.module.js';
import { ProjectIndexController } from './project-index.controller.js';
import { ProjectIndexService } from './project-index.service.js';

@Module({
  imports: [ProjectsModule, IndexingModule],
  controllers: [ProjectIndexController],
  providers: [ProjectIndexService],
})
export class ProjectIndexModule {}
