import { Module } from '@nestjs/common';
import { ProjectsModule } from '../projects/projects.module.js';
import { SearchIndexModule } from '../indexing/search-index.module.js';
import { FeatureIndexController } from './feature-index.controller.js';
import { FeatureIndexRepository } from './feature-index.repository.js';
import { FeatureIndexService } from './feature-index.service.js';

@Module({
  imports: [ProjectsModule, SearchIndexModule],
  controllers: [FeatureIndexController],
  providers: [FeatureIndexService, FeatureIndexRepository],
})
export class FeatureIndexModule {}
