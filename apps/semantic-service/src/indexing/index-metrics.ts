import { IndexMarksRepository } from '@loci/indexing';
import { Metrics } from '@loci/platform';
import { Injectable } from '@nestjs/common';

/** How far the vector index is behind, asked of the database at each scrape. */
@Injectable()
export class IndexMetrics {
  constructor(metrics: Metrics, marks: IndexMarksRepository) {
    const seconds = metrics.gauge(
      'loci_features_waiting_seconds',
      'Age of the oldest change that is not in the vector index.',
    );
    metrics.gauge('loci_features_waiting', 'Features without an up to date vector.', [], async (waiting) => {
      // while the database is down the other metrics are wanted all the more, and these are absent
      const backlog = await marks.backlog().catch(() => ({ items: Number.NaN, oldestSeconds: Number.NaN }));
      waiting.set(backlog.items);
      seconds.set(backlog.oldestSeconds);
    });
  }
}
