import { INDEX_UPKEEP_PROVIDERS, Sweeps } from '@loci/indexing';
import { ConsumerModule } from '@loci/messaging';
import { Module } from '@nestjs/common';
import { FeatureSweeps } from './feature-sweeps.js';
import { IndexConsumer } from './index-consumer.js';
import { IndexMetrics } from './index-metrics.js';
import { IndexingModule } from './indexing.module.js';

/** The worker's side of the vector index: follow the work messages, sweep up what was missed, repair what differs. */
@Module({
  imports: [ConsumerModule, IndexingModule],
  providers: [
    IndexConsumer,
    { provide: Sweeps, useClass: FeatureSweeps },
    ...INDEX_UPKEEP_PROVIDERS,
    IndexMetrics,
  ],
})
export class IndexUpkeepModule {}
