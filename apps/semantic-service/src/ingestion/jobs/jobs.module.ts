import { ConsumerModule } from '@loci/messaging';
import { Module } from '@nestjs/common';
import { SettingsModule } from '../settings/settings.module.js';
import { IngestionMetrics } from './ingestion-metrics.js';
import { JobsRepository } from './jobs.repository.js';
import { Scheduler } from './scheduler.js';

/** One job per set: when it is due, and which worker has claimed it. */
@Module({
  imports: [ConsumerModule, SettingsModule],
  providers: [JobsRepository, Scheduler, IngestionMetrics],
  exports: [JobsRepository, Scheduler],
})
export class JobsModule {}
