import { ConsumerModule } from '@loci/messaging';
import { Module } from '@nestjs/common';
import { MemoryModule } from '../memory/memory.module.js';
import { SummariesModule } from './summaries.module.js';
import { SummaryConsumers } from './summary-consumers.js';
import { SummaryUpdater } from './summary-updater.js';

/** The worker's side of short-term memory: writing down what falls out of the window. */
@Module({
  imports: [ConsumerModule, MemoryModule, SummariesModule],
  providers: [SummaryUpdater, SummaryConsumers],
})
export class SummaryUpkeepModule {}
