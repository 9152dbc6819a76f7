import { Module } from '@nestjs/common';
import { CategoriesModule } from '../categories/categories.module.js';
import { FeaturesModule } from '../features/features.module.js';
import { ProjectsModule } from '../projects/projects.module.js';
import { SetsModule } from '../sets/sets.module.js';
import { ChangeReversal } from './change-reversal.js';
import { CitedEpisodes } from './cited-episodes.js';
import { EditingService } from './editing.service.js';
import { HistoryService } from './history.service.js';

@Module({
  imports: [ProjectsModule, SetsModule, CategoriesModule, FeaturesModule],
  providers: [EditingService, HistoryService, ChangeReversal, CitedEpisodes],
  exports: [EditingService, HistoryService],
})
export class EditingModule {}
