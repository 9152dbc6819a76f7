import { Module } from '@nestjs/common';
import { FeaturesModule } from '../features/features.module.js';
import { IndexingModule } from '../indexing/indexing.module.js';
import { ProjectsModule } from '../projects/projects.module.js';
import { SetsModule } from '../sets/sets.module.js';
import { FeatureContext } from './feature-context.js';
import { FeatureSearch } from './feature-search.js';
import { IndexTail } from './index-tail.js';
import { SearchService } from './search.service.js';

@Module({
  imports: [ProjectsModule, SetsModule, FeaturesModule, IndexingModule],
  providers: [SearchService, FeatureSearch, FeatureContext, IndexTail],
  exports: [SearchService, FeatureContext],
})
export class SearchModule {}
