import { ExclusiveWork, WorkLeases } from '@loci/persistence';
import { Logger } from '@loci/platform';
import { type VectorIndex } from '@loci/vectors';
import { Injectable } from '@nestjs/common';
import { VectorCollections } from '../collections/vector-collections.js';
import { VectorServiceEnv } from '../service-start/vector-service-env.js';
import { LossEvidence } from './loss-evidence.js';
import { IndexMarksRepository } from '../content/index-marks.repository.js';
import {
  IndexVersionsRepository,
  type KnownCollection,
} from '../index-versions/index-versions.repository.js';

/** Points, or rows, compared in one step. */
const STEP = 1_000;

/** Compares each vector index with the table of what is indexed and repairs both ways. The sweeper asks for what it finds missing. */
@Injectable()
export class IndexReconciler {
  private readonly work: ExclusiveWork;
  private readonly complete = new Set<string>();
  private readonly evidence: LossEvidence;
  private readonly lastDifferences = new Map<string, number>();

  constructor(
    private readonly marks: IndexMarksRepository,
    private readonly indexVersions: IndexVersionsRepository,
    private readonly vectors: VectorCollections,
    leases: WorkLeases,
    env: VectorServiceEnv,
    private readonly logger: Logger,
  ) {
    this.work = new ExclusiveWork('reconciliation', leases, env.LEASE_MS, logger);
    this.evidence = new LossEvidence({
      confirmations: env.INDEX_LOSS_CONFIRMATIONS,
      spanMs: env.INDEX_LOSS_SPAN_MS,
    });
  }

  /**
   * Makes sure that every index that is used is there with all that belongs to it. One that is missing is given up only
   * on the evidence that `LossEvidence` demands. Then every row is marked as lost, and an index version that is being
   * built there begins anew.
   * @returns whether any had been lost
   */
  async ensureIndexes(): Promise<boolean> {
    let lost = 0;
    for (const collection of await this.indexVersions.collections()) {
      if (collection.isInUse) lost += await this.ensureIndex(collection);
    }
    return lost > 0;
  }

  /**
   * Whether the numbers on both sides differ, twice in a row and by the same: a cheap sign, not a proof. While work is
   * waiting they may differ.
   */
  async looksWrong(): Promise<boolean> {
    const { items: waiting } = await this.marks.backlog();
    if (waiting > 0) return false;
    let isWrong = false;
    for (const collection of await this.indexVersions.collections()) {
      const difference = await this.difference(collection);
      isWrong ||= difference !== 0 && difference === this.lastDifferences.get(collection.fingerprint);
      this.lastDifferences.set(collection.fingerprint, difference);
    }
    return isWrong;
  }

  /**
   * Compares every point with its row and every row with its point, until told to stop. One worker does it at a time.
   * @returns false when another worker was at it
   */
  async reconcile(signal: AbortSignal): Promise<boolean> {
    let isComplete = true;
    for (const collection of await this.indexVersions.collections()) {
      const outcome = await this.work.run(collection.fingerprint, (lost) =>
        this.reconcileCollection(collection, AbortSignal.any([signal, lost])),
      );
      if (outcome === 'busy') isComplete = false;
    }
    return isComplete;
  }

  /** What is being compared does not count as unfinished. */
  stop(): Promise<void> {
    return this.work.stop();
  }

  private async reconcileCollection(collection: KnownCollection, signal: AbortSignal): Promise<void> {
    const { fingerprint } = collection;
    const vectors = this.vectors.get(collection);
    if (!(await vectors.exists())) return;
    const removed = await this.removeStrayPoints(fingerprint, vectors, signal);
    const lost = await this.noteLostPoints(fingerprint, vectors, signal);
    if (removed + lost === 0) return;
    this.logger.warn('the vector index differed from the truth', { fingerprint, removed, lost });
  }

  private async ensureIndex(collection: KnownCollection): Promise<number> {
    const { fingerprint } = collection;
    const vectors = this.vectors.get(collection);
    const exists = await vectors.exists();
    if (exists && this.complete.has(fingerprint)) return 0;
    if (exists) this.evidence.clear(fingerprint);
    else if (!(await this.isLost(fingerprint, vectors))) return 0;
    const lost = exists ? 0 : await this.noteAllLost(fingerprint);
    await vectors.ensureCollection();
    this.complete.add(fingerprint);
    if (lost > 0) this.logger.warn('the vector index was lost; rebuilding it', { fingerprint, lost });
    return lost;
  }

  private async isLost(fingerprint: string, vectors: VectorIndex): Promise<boolean> {
    if (!(await vectors.isLossCredible())) {
      this.evidence.clear(fingerprint);
      this.logger.warn('a Qdrant node that does not know its whole cluster misses an index', { fingerprint });
      return false;
    }
    const isLost = this.evidence.addMissing(fingerprint, Date.now());
    if (!isLost) this.logger.warn('the vector index is missing; asking again', { fingerprint });
    return isLost;
  }

  private async noteAllLost(fingerprint: string): Promise<number> {
    await this.indexVersions.restart(fingerprint);
    let lost = 0;
    for (let marked; (marked = await this.marks.markAllLost(fingerprint, STEP)) > 0;) lost += marked;
    return lost;
  }

  private async difference(collection: KnownCollection): Promise<number> {
    const vectors = this.vectors.get(collection);
    if (!collection.isSettled || !(await vectors.exists())) return 0;
    const [indexed, points] = await Promise.all([
      this.marks.countIndexed(collection.fingerprint),
      vectors.countAll(),
    ]);
    return indexed - points;
  }

  private async removeStrayPoints(
    fingerprint: string,
    vectors: VectorIndex,
    signal: AbortSignal,
  ): Promise<number> {
    let removed = 0;
    let after: string | undefined;
    do {
      const page = await vectors.scroll({ limit: STEP, after });
      const ids = page.points.map(({ id }) => id);
      const wanted = await this.marks.mayHaveVectors(fingerprint, ids);
      const strays = page.points.filter(({ id }) => !wanted.has(id));
      for (const tenant of new Set(strays.map((point) => point.tenant))) {
        const strayIds = strays.filter((point) => point.tenant === tenant).map(({ id }) => id);
        await vectors.remove(tenant, strayIds);
      }
      removed += strays.length;
      after = page.next;
    } while (after !== undefined && !signal.aborted);
    return removed;
  }

  private async noteLostPoints(
    fingerprint: string,
    vectors: VectorIndex,
    signal: AbortSignal,
  ): Promise<number> {
    let lost = 0;
    let after: string | undefined;
    while (!signal.aborted) {
      const indexed = await this.marks.indexedAfter(fingerprint, after, STEP);
      after = indexed.at(-1)?.uid;
      if (after === undefined) break;
      const versions = await vectors.versions(indexed.map(({ uid }) => uid));
      const missing = indexed.flatMap(({ uid, version }) =>
        (versions.get(uid) ?? 0) < version ? [uid] : [],
      );
      if (missing.length > 0) await this.marks.markLost(fingerprint, missing);
      lost += missing.length;
    }
    return lost;
  }
}
