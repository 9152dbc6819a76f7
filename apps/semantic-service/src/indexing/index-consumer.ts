import { type FeaturesReference, indexFeatures } from '@loci/contracts';
import { ContentIndexer, isEmbedderOutage } from '@loci/indexing';
import { ConsumerRunner, semanticWorkerIndex } from '@loci/messaging';
import { Logger } from '@loci/platform';
import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { type IndexedFeature } from './feature-points.js';
import { IndexStateRepository } from './index-state.repository.js';

/** Orders taken together: what they name is embedded and upserted as one batch. */
const BATCH_SIZE = 32;

/** Keeps the vector index behind the table of features: changed ones in, deleted ones out. */
@Injectable()
export class IndexConsumer implements OnApplicationBootstrap {
  constructor(
    private readonly runner: ConsumerRunner,
    private readonly indexer: ContentIndexer<IndexedFeature>,
    private readonly state: IndexStateRepository,
    private readonly logger: Logger,
  ) {}

  onApplicationBootstrap(): void {
    this.runner.run(
      semanticWorkerIndex,
      indexFeatures,
      (messages) => this.bringInLine(messages.map(({ payload }) => payload)),
      { batchSize: BATCH_SIZE },
    );
  }

  /** Sets whose embedder is down must not delay the others: the sweeper comes back to their features. */
  private async bringInLine(references: readonly FeaturesReference[]): Promise<void> {
    const there = new Map<string, string[]>();
    for (const [setUid, uids] of groupBySet(references)) {
      const gone = new Set(await this.state.gone(setUid, [...uids]));
      if (gone.size > 0) await this.indexer.purge(setUid, [...gone]);
      const features = [...uids].filter((uid) => !gone.has(uid));
      if (features.length > 0) there.set(setUid, features);
    }
    const { failures } = await this.indexer.bringAllInLine(there);
    for (const [setUid, error] of failures) {
      if (!isEmbedderOutage(error)) throw error;
      this.logger.debug('features wait for their embedder', { setUid, error });
    }
  }
}

function groupBySet(references: readonly FeaturesReference[]): Map<string, Set<string>> {
  const groups = new Map<string, Set<string>>();
  for (const { setUid, uids } of references) {
    groups.set(setUid, new Set([...(groups.get(setUid) ?? []), ...uids]));
  }
  return groups;
}
