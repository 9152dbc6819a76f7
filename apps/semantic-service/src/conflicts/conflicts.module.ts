import { Module } from '@nestjs/common';
import { FeaturesModule } from '../features/features.module.js';
import { ProjectsModule } from '../projects/projects.module.js';
import { SetsModule } from '../sets/sets.module.js';
import { SubjectsModule } from '../subjects/subjects.module.js';
import { ConflictsController } from './conflicts.controller.js';
import { ConflictsRepository } from './conflicts.repository.js';
import { ConflictsService } from './conflicts.service.js';

@Module({
  imports: [ProjectsModule, SetsModule, FeaturesModule, SubjectsModule],
  controllers: [ConflictsController],
  providers: [ConflictsRepository, ConflictsService],
})
export class ConflictsModule {}
