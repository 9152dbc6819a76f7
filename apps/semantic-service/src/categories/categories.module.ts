import { Module } from '@nestjs/common';
import { FeaturesModule } from '../features/features.module.js';
import { ProjectsModule } from '../projects/projects.module.js';
import { SetsModule } from '../sets/sets.module.js';
import { BuiltInDefaults } from './built-in-defaults.js';
import { QuotaLimitsModule } from '../quota-limits/quota-limits.module.js';
import { CategoriesRepository } from './categories.repository.js';
import { CategoriesService } from './categories.service.js';
import { CategoryClearing } from './category-clearing.js';
import { CategoryQuota } from './category-quota.js';
import { SetTypeRemoval } from './set-type-removal.js';

@Module({
  imports: [ProjectsModule, SetsModule, FeaturesModule, QuotaLimitsModule],
  providers: [
    CategoriesService,
    CategoryClearing,
    SetTypeRemoval,
    BuiltInDefaults,
    CategoryQuota,
    CategoriesRepository,
  ],
  exports: [BuiltInDefaults, CategoriesRepository, CategoriesService, CategoryQuota, SetTypeRemoval],
})
export class CategoriesModule {}
