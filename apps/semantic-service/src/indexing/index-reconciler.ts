import { Logger } from '@loci/platform';
import { VectorIndex } from '@loci/vectors';
import { Injectable } from '@nestjs/common';
import { pointVersion } from './feature-points.js';
import { IndexStateRepository } from './index-state.repository.js';

/** Points, or features, compared in one step. */
const STEP = 1_000;

/** Compares the vector index with the table of features and repairs both ways. The sweeper orders what it finds missing. */
@Injectable()
export class IndexReconciler {
  private isComplete = false;
  private lastDifference = 0;

  constructor(
    private readonly state: IndexStateRepository,
    private readonly vectors: VectorIndex,
    private readonly logger: Logger,
  ) {}

  /**
   * Makes sure that there is an index with all that belongs to it. One that had to be made anew holds nothing: every
   * feature is noted as lost.
   * @returns whether it had been lost
   */
  async ensureIndex(): Promise<boolean> {
    const exists = await this.vectors.exists();
    if (exists && this.isComplete) return false;
    const lost = exists ? 0 : await this.noteAllLost();
    await this.vectors.ensureCollection();
    this.isComplete = true;
    if (lost > 0) this.logger.warn('the vector index was lost; rebuilding it', { features: lost });
    return lost > 0;
  }

  /**
   * Whether the numbers on both sides differ, twice in a row and by the same: a cheap sign, not a proof. While work is
   * waiting they may differ.
   */
  async looksWrong(): Promise<boolean> {
    const difference = await this.difference();
    const isSteady = difference !== 0 && difference === this.lastDifference;
    this.lastDifference = difference;
    return isSteady;
  }

  /** Compares every point with its feature and every feature with its point, until told to stop. */
  async reconcile(signal: AbortSignal): Promise<void> {
    const removed = await this.removeStrayPoints(signal);
    const lost = await this.noteLostPoints(signal);
    if (removed + lost > 0) this.logger.warn('the vector index differed from the truth', { removed, lost });
  }

  private async noteAllLost(): Promise<number> {
    let lost = 0;
    for (let marked; (marked = await this.state.markAllLost(STEP)) > 0;) lost += marked;
    return lost;
  }

  private async difference(): Promise<number> {
    const { features: waiting } = await this.state.backlog();
    if (waiting > 0) return 0;
    const [indexed, points] = await Promise.all([this.state.countIndexed(), this.vectors.countAll()]);
    return indexed - points;
  }

  private async removeStrayPoints(signal: AbortSignal): Promise<number> {
    let removed = 0;
    let after: string | undefined;
    do {
      const page = await this.vectors.scroll({ limit: STEP, after });
      const wanted = await this.state.mayHaveVectors(page.points.map(({ id }) => id));
      const strays = page.points.filter(({ id }) => !wanted.has(id));
      for (const tenant of new Set(strays.map((point) => point.tenant))) {
        const ids = strays.filter((point) => point.tenant === tenant).map(({ id }) => id);
        await this.vectors.remove(tenant, ids);
      }
      removed += strays.length;
      after = page.next;
    } while (after !== undefined && !signal.aborted);
    return removed;
  }

  private async noteLostPoints(signal: AbortSignal): Promise<number> {
    let lost = 0;
    let after: string | undefined;
    while (!signal.aborted) {
      const indexed = await this.state.indexedAfter(after, STEP);
      after = indexed.at(-1)?.uid;
      if (after === undefined) break;
      const versions = await this.vectors.versions(indexed.map(({ uid }) => uid));
      const missing = indexed
        .filter(({ uid, revision }) => (versions.get(uid) ?? 0) < pointVersion(revision))
        .map(({ uid }) => uid);
      if (missing.length > 0) await this.state.markLost(missing);
      lost += missing.length;
    }
    return lost;
  }
}
