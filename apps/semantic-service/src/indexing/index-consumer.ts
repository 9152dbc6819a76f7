import { indexFeatures } from '@loci/contracts';
import { ConsumerRunner, semanticWorkerIndex } from '@loci/messaging';
import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { FeatureIndexer } from './feature-indexer.js';

/** Orders taken together: what they name in one set is embedded and upserted as one batch. */
const BATCH_SIZE = 32;

/** Keeps the vector index behind the table of features: changed ones in, deleted ones out. */
@Injectable()
export class IndexConsumer implements OnApplicationBootstrap {
  constructor(
    private readonly runner: ConsumerRunner,
    private readonly indexer: FeatureIndexer,
  ) {}

  onApplicationBootstrap(): void {
    this.runner.run(
      semanticWorkerIndex,
      indexFeatures,
      async (messages) => {
        const bySet = new Map<string, Set<string>>();
        for (const { setUid, uids } of messages.map(({ payload }) => payload)) {
          bySet.set(setUid, new Set([...(bySet.get(setUid) ?? []), ...uids]));
        }
        for (const [setUid, uids] of bySet) await this.indexer.bringInLine(setUid, [...uids]);
      },
      { batchSize: BATCH_SIZE },
    );
  }
}
