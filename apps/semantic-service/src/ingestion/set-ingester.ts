import { AppError } from '@loci/contracts';
import { ROWS_OF_ALL, UnitOfWork } from '@loci/persistence';
import { inChildSpan, Logger } from '@loci/platform';
import { Inject, Injectable } from '@nestjs/common';
import { Consolidator } from '../consolidation/consolidator.js';
import { SemanticServiceEnv } from '../env.js';
import { IngestionSwitch } from '../intake/ingestion-switch.js';
import { type Claim, type PassEnd, type PassReport } from '../jobs/job.js';
import { JobsRepository } from '../jobs/jobs.repository.js';
import { MeteredModel } from '../usage/metered-model.js';
import { UsageRepository } from '../usage/usage.repository.js';
import { CategoryIngester } from './category-ingester.js';
import { type IngestionCategory } from './extraction-prompt.js';
import { IngestionModels } from './ingestion-models.js';
import { CategoryGoneError, IngestionSets } from './ingestion-sets.js';
import { type CategoryFailure, MessagesRepository } from './messages.repository.js';
import { batchLimitAfter, type FailureVerdict, judgeFailure, maxFailures } from './retry-plan.js';

interface Pass {
  readonly claim: Claim;
  readonly model: MeteredModel;
  readonly signal: AbortSignal;
}

/** One pass over a claimed set: a batch for each of its categories, none of which waits for, or fails with, another. */
@Injectable()
export class SetIngester {
  constructor(
    private readonly sets: IngestionSets,
    private readonly models: IngestionModels,
    private readonly categories: CategoryIngester,
    private readonly consolidator: Consolidator,
    private readonly messages: MessagesRepository,
    private readonly jobs: JobsRepository,
    private readonly usage: UsageRepository,
    private readonly ingestion: IngestionSwitch,
    private readonly unitOfWork: UnitOfWork,
    private readonly logger: Logger,
    @Inject(SemanticServiceEnv)
    private readonly env: Pick<SemanticServiceEnv, 'INGESTION_RETRY_PAUSE_MS'>,
  ) {}

  /**
   * What it comes to is settled by whoever lets go of the set.
   * @throws AppError `lease_lost`; the reason of the signal once it is aborted
   */
  async ingest(claim: Claim, signal: AbortSignal): Promise<PassReport> {
    try {
      const { categories, llmName } = await this.sets.describe(claim.setUid);
      if (categories.length > 0) {
        const { models, usage, logger, ingestion } = this;
        const model = new MeteredModel(await models.get(llmName), claim, usage, logger, () =>
          ingestion.assertOn(),
        );
        return await this.pass({ claim, model, signal }, categories);
      }
      return { end: { kind: 'done' }, categories: [] };
    } catch (error) {
      if (signal.aborted || isLeaseLost(error)) throw error;
      return { end: { ...this.judge(error, 1), kind: 'blocked' }, categories: undefined };
    }
  }

  private async pass(pass: Pass, categories: readonly IngestionCategory[]): Promise<PassReport> {
    const { setUid } = pass.claim;
    const failures = new Map((await this.messages.failures(setUid)).map((one) => [one.category, one]));
    const ends = await Promise.all(
      categories.map((category) => this.category(pass, category, failures.get(category.name))),
    );
    return { end: together(ends), categories: categories.map(({ name }) => name) };
  }

  private async category(
    pass: Pass,
    category: IngestionCategory,
    before: CategoryFailure | undefined,
  ): Promise<PassEnd> {
    if (before && before.retryInMs > 0) return { ...before, kind: 'retrying', afterMs: before.retryInMs };
    const limit = batchLimitAfter(before);
    try {
      const hasMore = await inChildSpan('ingest category', {}, () =>
        this.categories.ingest({ ...pass, category, limit }),
      );
      await this.consolidator.consolidate({ ...pass, category });
      return { kind: hasMore ? 'more' : 'done' };
    } catch (error) {
      if (pass.signal.aborted || isLeaseLost(error)) throw error;
      // the next pass sees what is at work in the set now
      if (error instanceof CategoryGoneError) return { kind: 'more' };
      const failures = (before?.failures ?? 0) + 1;
      const verdict = this.judge(error, failures);
      this.logger.warn('a category could not be ingested', { set_uid: pass.claim.setUid, failures, error });
      if (verdict.kind === 'blocked') return verdict;
      const { afterMs: retryInMs, code, reason } = verdict;
      return this.fail(pass.claim, { category: category.name, failures, retryInMs, code, reason }, limit);
    }
  }

  /**
   * After the last failure the batch goes to the dead letters. The next one then has a single try: a model that fails
   * with every message must not cost many calls for each.
   */
  private async fail(claim: Claim, failure: CategoryFailure, limit: number): Promise<PassEnd> {
    const { category, failures, retryInMs, code, reason } = failure;
    const isLast = failures >= maxFailures(code);
    await this.unitOfWork.run(
      async (tx) => {
        await this.jobs.fence(claim, tx);
        if (isLast) {
          const lost = await this.messages.next(claim.setUid, category, limit, tx);
          const uids = lost.map(({ episodeUid }) => episodeUid);
          await this.messages.bury(claim, { category, code, reason, failures }, uids, tx);
        }
        const counted = isLast ? { ...failure, failures: failures - 1 } : failure;
        await this.messages.noteFailure(claim.setUid, counted, tx);
      },
      { scope: ROWS_OF_ALL },
    );
    return { kind: 'retrying', afterMs: retryInMs, code, reason };
  }

  private judge(error: unknown, failures: number): FailureVerdict {
    return judgeFailure(error, { failures, firstPauseMs: this.env.INGESTION_RETRY_PAUSE_MS });
  }
}

/** More to do comes before waiting; of those that wait, the one that waits least. */
function together(ends: readonly PassEnd[]): PassEnd {
  const more = ends.find(({ kind }) => kind === 'more');
  if (more) return more;
  const waiting = ends.flatMap((end) => (end.kind === 'retrying' || end.kind === 'blocked' ? [end] : []));
  return waiting.sort((a, b) => a.afterMs - b.afterMs)[0] ?? { kind: 'done' };
}

const isLeaseLost = (error: unknown): boolean => error instanceof AppError && error.code === 'lease_lost';
