import { MovesRepository } from '@loci/indexing';
import { Metrics } from '@loci/platform';
import { Injectable } from '@nestjs/common';

/** How far moves to other embedders are, asked of the database at each scrape. */
@Injectable()
export class MoveMetrics {
  constructor(metrics: Metrics, moves: MovesRepository) {
    const episodes = metrics.gauge(
      'loci_moving_episodes',
      'Episodes of projects that move to another embedder.',
    );
    const carried = metrics.gauge(
      'loci_moving_episodes_done',
      'Those of them that the new embedder has embedded.',
    );
    metrics.gauge('loci_moving_projects', 'Projects that move to another embedder.', [], async (projects) => {
      const unknown = { spaces: Number.NaN, items: Number.NaN, carried: Number.NaN };
      const progress = await moves.progress().catch(() => unknown);
      projects.set(progress.spaces);
      episodes.set(progress.items);
      carried.set(progress.carried);
    });
  }
}
