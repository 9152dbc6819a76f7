import { Module } from '@nestjs/common';
import { ProjectsRepository } from './projects.repository.js';
import { ProjectsService } from './projects.service.js';
import { TypeormProjectsRepository } from './typeorm-projects.repository.js';

@Module({
  providers: [ProjectsService, { provide: ProjectsRepository, useClass: TypeormProjectsRepository }],
  exports: [ProjectsService, ProjectsRepository],
})
export class ProjectsModule {}
