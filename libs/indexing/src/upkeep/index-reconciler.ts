import { ExclusiveWork, WorkLeases } from '@loci/persistence';
import { Logger } from '@loci/platform';
import { Injectable } from '@nestjs/common';
import { VectorCollections } from '../collections/vector-collections.js';
import { FIRST_UID } from '../index-versions/indexed-table.js';
import { type KnownCollection } from '../index-versions/index-versions.repository.js';
import { VectorServiceEnv } from '../service-start/vector-service-env.js';
import { type ComparisonTurn, ComparisonsRepository } from './comparisons.repository.js';
import { IndexComparison } from './index-comparison.js';

/** The share of the time that the comparison of everything takes as long as it finds no difference. */
const PACE = 0.02;

/**
 * Compares each vector index with the table of what is indexed and repairs both; the sweeper asks for what it finds missing.
 * Workers take turns: in each, a sample is compared, and a part of everything whenever that is due. How much that takes does
 * not depend on how much there is; how long it takes until all was compared does. Once it finds a difference, it goes on
 * without pauses to the end.
 */
@Injectable()
export class IndexReconciler {
  private readonly work: ExclusiveWork;

  constructor(
    private readonly comparison: IndexComparison,
    private readonly comparisons: ComparisonsRepository,
    private readonly collections: VectorCollections,
    leases: WorkLeases,
    private readonly env: VectorServiceEnv,
    private readonly logger: Logger,
  ) {
    this.work = new ExclusiveWork('reconciliation', leases, env.LEASE_MS, logger);
  }

  /** Takes the turns that are due and that no other worker has, until told to stop. @returns whether it goes on */
  async reconcile(collections: readonly KnownCollection[], signal: AbortSignal): Promise<boolean> {
    let goesOn = false;
    for (const collection of collections.filter(({ isToCompare }) => isToCompare)) {
      await this.work.run(collection.fingerprint, async (lost) => {
        goesOn = (await this.takeTurn(collection, AbortSignal.any([signal, lost]))) || goesOn;
      });
    }
    return goesOn;
  }

  /** What is being compared does not count as unfinished. */
  stop(): Promise<void> {
    return this.work.stop();
  }

  /** @returns whether the comparison of everything goes on, or something differed */
  private async takeTurn(collection: KnownCollection, signal: AbortSignal): Promise<boolean> {
    const { SWEEP_INTERVAL_MS: turnMs, RECONCILE_CHECK_INTERVAL_MS: checkMs } = this.env;
    const { fingerprint } = collection;
    const turn = await this.comparisons.claim(fingerprint, checkMs, this.env.RECONCILE_INTERVAL_MS);
    if (!turn || !(await this.collections.get(collection).exists())) return false;
    const sampled = await this.comparison.sample(collection);
    const { next, differences, renewed } = await this.compareSome(collection, turn, sampled, signal);
    const differs = turn.differs || differences > 0;
    const pauseMs = next === undefined ? checkMs : differs ? 0 : turnMs;
    const isComplete =
      next === undefined && (turn.from !== undefined || turn.isDue || differences + renewed > 0);
    await this.comparisons.note(turn, { from: next, differs: differs && !isComplete, isComplete, pauseMs });
    if (differences > 0) {
      this.logger.warn('the vector index differed from the truth', { fingerprint, differences });
    }
    if (renewed > 0) this.logger.info('vectors of an older recipe were renewed', { fingerprint, renewed });
    return next !== undefined || differences > 0;
  }

  /** Goes on with the comparison of everything, or begins it when it is due or a sample found a difference. */
  private async compareSome(
    collection: KnownCollection,
    { from, isDue, differs }: ComparisonTurn,
    sampled: Awaited<ReturnType<IndexComparison['sample']>>,
    signal: AbortSignal,
  ): Promise<typeof sampled & { readonly next: string | undefined }> {
    let { differences, renewed } = sampled;
    let next = from ?? (isDue || differences + renewed > 0 ? FIRST_UID : undefined);
    const begunMs = performance.now();
    while (next !== undefined && !signal.aborted) {
      const compared = await this.comparison.compare(collection, next);
      differences += compared.removed + compared.lost;
      renewed += compared.renewed;
      next = compared.next;
      const share = differs || differences > 0 ? 1 : PACE;
      if (performance.now() - begunMs >= this.env.SWEEP_INTERVAL_MS * share) break;
    }
    return { next, differences, renewed };
  }
}
