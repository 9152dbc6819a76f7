import { Module } from '@nestjs/common';
import { ProjectsModule } from '../projects/projects.module.js';
import { CategoryFeatures } from './category-features.js';
import { FeatureHistoryRepository } from './feature-history.repository.js';
import { FeatureLedger } from './feature-ledger.js';
import { FeaturesRepository } from './features.repository.js';
import { TypeormFeatureHistoryRepository } from './typeorm-feature-history.repository.js';
import { TypeormFeaturesRepository } from './typeorm-features.repository.js';

@Module({
  imports: [ProjectsModule],
  providers: [
    FeatureLedger,
    CategoryFeatures,
    { provide: FeaturesRepository, useClass: TypeormFeaturesRepository },
    { provide: FeatureHistoryRepository, useClass: TypeormFeatureHistoryRepository },
  ],
  exports: [FeatureLedger, CategoryFeatures, FeaturesRepository, FeatureHistoryRepository],
})
export class FeaturesModule {}
