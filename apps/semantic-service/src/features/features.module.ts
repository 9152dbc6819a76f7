import { Module } from '@nestjs/common';
import { ProjectsModule } from '../projects/projects.module.js';
import { CategoryFeatures } from './category-features.js';
import { FeatureHistoryRepository } from './feature-history.repository.js';
import { FeatureWriter } from './feature-writer.js';
import { FeaturesRepository } from './features.repository.js';

@Module({
  imports: [ProjectsModule],
  providers: [FeatureWriter, CategoryFeatures, FeaturesRepository, FeatureHistoryRepository],
  exports: [FeatureWriter, CategoryFeatures, FeaturesRepository, FeatureHistoryRepository],
})
export class FeaturesModule {}
