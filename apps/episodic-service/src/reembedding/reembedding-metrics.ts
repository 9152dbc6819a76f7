import { ReembeddingsRepository } from '@loci/indexing';
import { Metrics } from '@loci/platform';
import { Injectable } from '@nestjs/common';

/** Progress of re-embedding, read from the database at each scrape. */
@Injectable()
export class ReembeddingMetrics {
  constructor(metrics: Metrics, reembeddings: ReembeddingsRepository) {
    const episodes = metrics.gauge(
      'loci_moving_episodes',
      'Episodes of projects that are being re-embedded.',
    );
    const carried = metrics.gauge(
      'loci_moving_episodes_done',
      'Those of them that the new embedder has embedded.',
    );
    metrics.gauge('loci_moving_projects', 'Projects that are being re-embedded.', [], async (projects) => {
      const unknown = { indexVersions: Number.NaN, items: Number.NaN, carried: Number.NaN };
      const progress = await reembeddings.progress().catch(() => unknown);
      projects.set(progress.indexVersions);
      episodes.set(progress.items);
      carried.set(progress.carried);
    });
  }
}
