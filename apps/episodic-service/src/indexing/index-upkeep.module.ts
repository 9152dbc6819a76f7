import { INDEX_UPKEEP_PROVIDERS, Sweeps } from '@loci/indexing';
import { ConsumerModule } from '@loci/messaging';
import { Module } from '@nestjs/common';
import { IndexConsumers } from './index-consumers.js';
import { IndexMetrics } from './index-metrics.js';
import { ConversationUpkeep } from './conversation-upkeep.js';
import { EpisodeSweeps } from './episode-sweeps.js';
import { IndexingModule } from './indexing.module.js';

/** The worker's side of the vector index: follow the events, sweep up what was missed, repair what differs. */
@Module({
  imports: [ConsumerModule, IndexingModule],
  providers: [
    IndexConsumers,
    { provide: Sweeps, useClass: EpisodeSweeps },
    ...INDEX_UPKEEP_PROVIDERS,
    IndexMetrics,
    ConversationUpkeep,
  ],
})
export class IndexUpkeepModule {}
