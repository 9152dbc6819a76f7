import { Module } from '@nestjs/common';
import { FeaturesModule } from '../features/features.module.js';
import { ProjectsModule } from '../projects/projects.module.js';
import { SetsModule } from '../sets/sets.module.js';
import { BuiltInDefaults } from './built-in-defaults.js';
import { CategoriesRepository } from './categories.repository.js';
import { CategoriesService } from './categories.service.js';
import { SetTypeRemoval } from './set-type-removal.js';

@Module({
  imports: [ProjectsModule, SetsModule, FeaturesModule],
  providers: [CategoriesService, SetTypeRemoval, BuiltInDefaults, CategoriesRepository],
  exports: [CategoriesRepository, CategoriesService, SetTypeRemoval],
})
export class CategoriesModule {}
