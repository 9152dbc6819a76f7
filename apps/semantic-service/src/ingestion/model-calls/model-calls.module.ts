import { Module } from '@nestjs/common';
import { FeaturesModule } from '../../features/features.module.js';
import { ProjectsModule } from '../../projects/projects.module.js';
import { CallRecords } from './call-records.js';
import { ModelCallsRepository } from './model-calls.repository.js';

/** What models were asked, and replied. */
@Module({
  imports: [ProjectsModule, FeaturesModule],
  providers: [ModelCallsRepository, CallRecords],
  exports: [ModelCallsRepository, CallRecords],
})
export class ModelCallsModule {}
