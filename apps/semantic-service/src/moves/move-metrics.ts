import { MovesRepository } from '@loci/indexing';
import { Metrics } from '@loci/platform';
import { Injectable } from '@nestjs/common';

/** How far moves to other embedders are, asked of the database at each scrape. */
@Injectable()
export class MoveMetrics {
  constructor(metrics: Metrics, moves: MovesRepository) {
    const features = metrics.gauge('loci_moving_features', 'Features of sets that move to another embedder.');
    const carried = metrics.gauge(
      'loci_moving_features_done',
      'Those of them that the new embedder has embedded.',
    );
    metrics.gauge('loci_moving_sets', 'Sets that move to another embedder.', [], async (sets) => {
      const unknown = { spaces: Number.NaN, items: Number.NaN, carried: Number.NaN };
      const progress = await moves.progress().catch(() => unknown);
      sets.set(progress.spaces);
      features.set(progress.items);
      carried.set(progress.carried);
    });
  }
}
