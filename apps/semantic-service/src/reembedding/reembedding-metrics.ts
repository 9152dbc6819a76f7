import { ReembeddingsRepository } from '@loci/indexing';
import { Metrics } from '@loci/platform';
import { Injectable } from '@nestjs/common';

/** Progress of re-embedding, read from the database at each scrape. */
@Injectable()
export class ReembeddingMetrics {
  constructor(metrics: Metrics, reembeddings: ReembeddingsRepository) {
    const features = metrics.gauge('loci_moving_features', 'Features of sets that are being re-embedded.');
    const carried = metrics.gauge(
      'loci_moving_features_done',
      'Those of them that the new embedder has embedded.',
    );
    metrics.gauge('loci_moving_sets', 'Sets that are being re-embedded.', [], async (sets) => {
      const unknown = { indexVersions: Number.NaN, items: Number.NaN, carried: Number.NaN };
      const progress = await reembeddings.progress().catch(() => unknown);
      sets.set(progress.indexVersions);
      features.set(progress.items);
      carried.set(progress.carried);
    });
  }
}
