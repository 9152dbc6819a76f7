import { Metrics } from '@loci/platform';
import { Injectable } from '@nestjs/common';
import { IndexStateRepository } from './index-state.repository.js';

/** How far the vector index is behind, asked of the database at each scrape. */
@Injectable()
export class IndexMetrics {
  constructor(metrics: Metrics, state: IndexStateRepository) {
    const seconds = metrics.gauge(
      'loci_features_waiting_seconds',
      'Age of the oldest change that is not in the vector index.',
    );
    metrics.gauge('loci_features_waiting', 'Features without an up to date vector.', [], async (waiting) => {
      // while the database is down the other metrics are wanted all the more
      const backlog = await state
        .backlog()
        .catch(() => ({ features: Number.NaN, oldestSeconds: Number.NaN }));
      waiting.set(backlog.features);
      seconds.set(backlog.oldestSeconds);
    });
  }
}
