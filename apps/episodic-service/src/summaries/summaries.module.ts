import { Module } from '@nestjs/common';
import { SummariesRepository } from './summaries.repository.js';

@Module({
  providers: [SummariesRepository],
  exports: [SummariesRepository],
})
export class SummariesModule {}
