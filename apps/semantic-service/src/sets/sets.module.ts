import { Module } from '@nestjs/common';
import { ProjectsModule } from '../projects/projects.module.js';
import { ResourcesModule } from '../resources/resources.module.js';
import { SetTypesService } from './set-types.service.js';
import { SetsRepository } from './sets.repository.js';
import { SetsService } from './sets.service.js';

@Module({
  imports: [ProjectsModule, ResourcesModule],
  providers: [SetsService, SetTypesService, SetsRepository],
  exports: [SetsService, SetTypesService, SetsRepository],
})
export class SetsModule {}
