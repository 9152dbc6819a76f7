import { Module } from '@nestjs/common';
import { PostgresSummariesRepository } from './postgres-summaries.repository.js';
import { SummariesRepository } from './summaries.repository.js';

@Module({
  providers: [{ provide: SummariesRepository, useClass: PostgresSummariesRepository }],
  exports: [SummariesRepository],
})
export class SummariesModule {}
