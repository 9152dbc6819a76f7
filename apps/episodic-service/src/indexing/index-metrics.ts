import { IndexMarksRepository } from '@loci/indexing';
import { Metrics } from '@loci/platform';
import { Injectable } from '@nestjs/common';

/** How far the vector index is behind, asked of the database at each scrape. */
@Injectable()
export class IndexMetrics {
  constructor(metrics: Metrics, marks: IndexMarksRepository) {
    const seconds = metrics.gauge(
      'loci_episodes_waiting_seconds',
      'Age of the oldest episode without a vector.',
    );
    metrics.gauge('loci_episodes_waiting', 'Episodes that have no vector yet.', [], async (waiting) => {
      // while the database is down the other metrics are wanted all the more, and these are absent
      const backlog = await marks.backlog().catch(() => ({ items: Number.NaN, oldestSeconds: Number.NaN }));
      waiting.set(backlog.items);
      seconds.set(backlog.oldestSeconds);
    });
  }
}
