import { Logger, Metrics } from '@loci/platform';
import { type VectorIndex } from '@loci/vectors';
import { Injectable } from '@nestjs/common';
import { VectorCollections } from '../collections/vector-collections.js';
import { IndexMarksRepository } from '../content/index-marks.repository.js';
import {
  IndexVersionsRepository,
  type KnownCollection,
} from '../index-versions/index-versions.repository.js';
import { VectorServiceEnv } from '../service-start/vector-service-env.js';
import { ComparisonsRepository } from './comparisons.repository.js';
import { LossEvidence } from './loss-evidence.js';

/** Rows that are noted as lost in one step. */
const STEP = 1_000;

/**
 * A write to the index that began before it was lost has ended, or failed, by then. A row whose point went into the lost
 * index may be noted as indexed a moment after all were noted as lost: so everything is compared again.
 */
const REBUILD_SETTLE_MS = 30_000;

/** Makes sure that every index that is used is there, and has one that is lost built again. */
@Injectable()
export class LostIndexes {
  private readonly complete = new Set<string>();
  private readonly evidence: LossEvidence;
  /** Too large to be built again without being told to. */
  private readonly waiting = new Set<string>();

  constructor(
    private readonly marks: IndexMarksRepository,
    private readonly indexVersions: IndexVersionsRepository,
    private readonly comparisons: ComparisonsRepository,
    private readonly vectors: VectorCollections,
    private readonly env: VectorServiceEnv,
    private readonly logger: Logger,
    metrics: Metrics,
  ) {
    metrics.gauge(
      'vector_indexes_lost',
      'Lost vector indexes that are too large to be built again without an operator (INDEX_REBUILD_MAX_VECTORS).',
      [],
      (gauge) => gauge.set(this.waiting.size),
    );
    this.evidence = new LossEvidence({
      confirmations: env.INDEX_LOSS_CONFIRMATIONS,
      spanMs: env.INDEX_LOSS_SPAN_MS,
    });
  }

  /**
   * Looks for each of these that is in use. One that is missing is given up only on the evidence that `LossEvidence`
   * demands, and if it is not too large. Then every row is marked as lost, and an index version that is being built there
   * begins again. One that cannot be looked for keeps no other waiting.
   * @returns whether one was built again
   * @throws the first failure, when all have been looked for
   */
  async replace(collections: readonly KnownCollection[]): Promise<boolean> {
    let isAny = false;
    const failures: unknown[] = [];
    for (const collection of collections.filter(({ isInUse }) => isInUse)) {
      try {
        isAny = (await this.ensureIndex(collection)) || isAny;
      } catch (error) {
        failures.push(error);
      }
    }
    if (failures.length > 0) throw failures[0];
    return isAny;
  }

  private async ensureIndex(collection: KnownCollection): Promise<boolean> {
    const { fingerprint } = collection;
    const vectors = this.vectors.get(collection);
    const exists = await vectors.exists();
    if (exists) this.takeBack(fingerprint);
    if (exists && this.complete.has(fingerprint)) return false;
    if (!exists && (!(await this.isLost(fingerprint, vectors)) || (await this.isTooLarge(fingerprint)))) {
      return false;
    }
    const lost = exists ? 0 : await this.noteAllLost(fingerprint);
    await vectors.ensureCollection();
    this.complete.add(fingerprint);
    if (lost > 0) this.logger.warn('the vector index was lost; rebuilding it', { fingerprint, lost });
    return lost > 0;
  }

  private async isLost(fingerprint: string, vectors: VectorIndex): Promise<boolean> {
    if (!(await vectors.isLossCredible())) {
      this.evidence.clear(fingerprint);
      this.logger.warn('a Qdrant node that does not know its whole cluster misses an index', { fingerprint });
      return false;
    }
    const isLost = this.evidence.addMissing(fingerprint, performance.now());
    if (!isLost) this.logger.warn('the vector index is missing; asking again', { fingerprint });
    return isLost;
  }

  /** It is there, whatever was said before. */
  private takeBack(fingerprint: string): void {
    this.evidence.clear(fingerprint);
    this.waiting.delete(fingerprint);
  }

  /** Counts once: what is lost does not grow, and the limit does not change while a process runs. */
  private async isTooLarge(fingerprint: string): Promise<boolean> {
    if (this.waiting.has(fingerprint)) return true;
    const limit = this.env.INDEX_REBUILD_MAX_VECTORS;
    if (!(await this.marks.holdsMoreThan(fingerprint, limit))) return false;
    this.waiting.add(fingerprint);
    const advice = 'bring back a snapshot of it, or raise INDEX_REBUILD_MAX_VECTORS to have it built again';
    this.logger.error(`the vector index was lost; ${advice}`, { fingerprint, limit });
    return true;
  }

  private async noteAllLost(fingerprint: string): Promise<number> {
    await this.indexVersions.restart(fingerprint);
    let lost = 0;
    for (let after: string | undefined; ;) {
      const { marked, last } = await this.marks.markAllLost(fingerprint, STEP, after);
      if (last === undefined) break;
      lost += marked;
      after = last;
    }
    if (lost > 0) await this.comparisons.begin(fingerprint, REBUILD_SETTLE_MS);
    return lost;
  }
}
