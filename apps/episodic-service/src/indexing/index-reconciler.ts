import { Logger } from '@loci/platform';
import { VectorIndex } from '@loci/vectors';
import { Injectable } from '@nestjs/common';
import { POINT_VERSION } from './episode-points.js';
import { IndexStateRepository } from './index-state.repository.js';

/** Points, or episodes, compared in one step. */
const STEP = 1_000;

/** Compares the vector index with the table of episodes and repairs both ways. The sweeper orders what it finds missing. */
@Injectable()
export class IndexReconciler {
  constructor(
    private readonly state: IndexStateRepository,
    private readonly vectors: VectorIndex,
    private readonly logger: Logger,
  ) {}

  /** Makes sure that there is an index. One that had to be made anew holds nothing: every episode is noted as lost. */
  async ensureIndex(): Promise<void> {
    if (await this.vectors.exists()) return;
    let lost = 0;
    for (let marked; (marked = await this.state.markAllLost(STEP * 10)) > 0;) lost += marked;
    await this.vectors.ensureCollection();
    if (lost > 0) this.logger.warn('the vector index was lost; rebuilding it', { episodes: lost });
  }

  /** Whether the numbers on both sides agree: a cheap sign, not a proof. While work is waiting they need not. */
  async looksRight(): Promise<boolean> {
    const { episodes: waiting } = await this.state.backlog();
    if (waiting > 0) return true;
    const [indexed, points] = await Promise.all([this.state.countIndexed(), this.vectors.countAll()]);
    return indexed === points;
  }

  /** Compares every point with its episode and every episode with its point. */
  async reconcile(): Promise<void> {
    const removed = await this.removeStrayPoints();
    const lost = await this.noteLostPoints();
    if (removed + lost > 0) this.logger.warn('the vector index differed from the truth', { removed, lost });
  }

  private async removeStrayPoints(): Promise<number> {
    let removed = 0;
    let after: string | undefined;
    do {
      const page = await this.vectors.scroll({ limit: STEP, ...(after !== undefined && { after }) });
      const wanted = await this.state.mayHaveVectors(page.points.map(({ id }) => id));
      for (const { id, tenant } of page.points.filter((point) => !wanted.has(point.id))) {
        await this.vectors.remove(tenant, [id]);
        removed += 1;
      }
      after = page.next;
    } while (after !== undefined);
    return removed;
  }

  private async noteLostPoints(): Promise<number> {
    let lost = 0;
    let after: string | undefined;
    for (;;) {
      const episodes = await this.state.indexedAfter(after, STEP);
      const last = episodes.at(-1);
      if (!last) return lost;
      after = last.uid;
      const versions = await this.vectors.versions(episodes.map(({ uid }) => uid));
      const missing = episodes.filter(({ uid }) => versions.get(uid) !== POINT_VERSION).map(({ uid }) => uid);
      if (missing.length > 0) await this.state.markLost(missing);
      lost += missing.length;
    }
  }
}
