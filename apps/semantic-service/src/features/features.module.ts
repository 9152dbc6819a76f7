import { Module } from '@nestjs/common';
import { ProjectsModule } from '../projects/projects.module.js';
import { CategoryFeatures } from './category-features.js';
import { FeatureHistoryRepository } from './feature-history.repository.js';
import { FeatureLedger } from './feature-ledger.js';
import { FeaturesRepository } from './features.repository.js';

@Module({
  imports: [ProjectsModule],
  providers: [FeatureLedger, CategoryFeatures, FeaturesRepository, FeatureHistoryRepository],
  exports: [FeatureLedger, CategoryFeatures, FeaturesRepository, FeatureHistoryRepository],
})
export class FeaturesModule {}
