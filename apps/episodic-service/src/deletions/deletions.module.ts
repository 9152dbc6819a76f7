import { Module } from '@nestjs/common';
import { EpisodesModule } from '../episodes/episodes.module.js';
import { ProjectsModule } from '../projects/projects.module.js';
import { DeletionsController } from './deletions.controller.js';
import { DeletionsRepository } from './deletions.repository.js';
import { DeletionsService } from './deletions.service.js';

@Module({
  imports: [EpisodesModule, ProjectsModule],
  controllers: [DeletionsController],
  providers: [DeletionsService, DeletionsRepository],
})
export class DeletionsModule {}
