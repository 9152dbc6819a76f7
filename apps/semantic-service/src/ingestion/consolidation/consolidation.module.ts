import { Module } from '@nestjs/common';
import { ExtractionModule } from '../extraction/extraction.module.js';
import { JobsModule } from '../jobs/jobs.module.js';
import { ModelCallsModule } from '../model-calls/model-calls.module.js';
import { ConsolidationsRepository } from './consolidations.repository.js';
import { Consolidator } from './consolidator.js';

/** Merges features of one tag that say the same. */
@Module({
  imports: [ExtractionModule, JobsModule, ModelCallsModule],
  providers: [ConsolidationsRepository, Consolidator],
  exports: [Consolidator],
})
export class ConsolidationModule {}
