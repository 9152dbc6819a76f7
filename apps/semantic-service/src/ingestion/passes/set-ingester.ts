import { inChildSpan, Logger } from '@loci/platform';
import { Injectable } from '@nestjs/common';
import { Consolidator } from '../consolidation/consolidator.js';
import { IngestionSwitch } from '../settings/ingestion-switch.js';
import { type NewClaim, type PassEnd, type PassReport } from '../jobs/job.js';
import { MeteredModel } from '../usage/metered-model.js';
import { ModelQuotas } from '../usage/model-quotas.js';
import { UsageRepository } from '../usage/usage.repository.js';
import { BatchFailedError } from '../extraction/batch-reader.js';
import { type CategoryGroup, groupsOf } from '../extraction/category-groups.js';
import { type CategoryEnd, CategoryIngester, type Ingested } from '../extraction/category-ingester.js';
import { type IngestionCategory } from '../extraction/extraction-prompt.js';
import { IngestionModels } from '../extraction/ingestion-models.js';
import { PartitionChangedError } from '../extraction/ingestion-partitions.js';
import { CategoryGoneError, IngestionSets } from '../extraction/ingestion-sets.js';
import { type CategoryFailure, MessagesRepository } from '../extraction/messages.repository.js';
import { isAboutMessages, MAX_BATCH } from '../jobs/retry-plan.js';
import { type SuspectBatch, type Suspects, UnfinishedMessages } from '../extraction/unfinished-messages.js';
import { type FreshBatch, isLeaseLost, isWaiting, partsAfter, toEnd, together } from './pass-ends.js';
import { PassFailures } from './pass-failures.js';

/** What was said before messages is left out once they failed so often: it may be what the model makes nothing of. */
const FAILURES_TO_READ_ALONE = 2;

interface Pass {
  readonly claim: NewClaim;
  readonly model: MeteredModel;
  readonly signal: AbortSignal;
  readonly isAlone?: boolean;
}

/** One pass over a claimed set: a batch for its categories, none of which waits for, or fails with, another. */
@Injectable()
export class SetIngester {
  constructor(
    private readonly sets: IngestionSets,
    private readonly models: IngestionModels,
    private readonly categories: CategoryIngester,
    private readonly consolidator: Consolidator,
    private readonly messages: MessagesRepository,
    private readonly unfinished: UnfinishedMessages,
    private readonly failures: PassFailures,
    private readonly usage: UsageRepository,
    private readonly quotas: ModelQuotas,
    private readonly ingestion: IngestionSwitch,
    private readonly logger: Logger,
  ) {}

  /**
   * The result is settled with the release of the set.
   * @throws AppError `lease_lost`; the reason of the signal once it is aborted
   */
  async ingest(claim: NewClaim, signal: AbortSignal): Promise<PassReport> {
    try {
      const { categories, llmName } = await this.sets.describe(claim.setUid);
      if (categories.length > 0) {
        const { models, usage, quotas, logger, ingestion } = this;
        const priced = await models.get(llmName);
        const model = new MeteredModel(priced, claim, usage, quotas, logger, () => ingestion.assertOn());
        return await this.pass({ claim, model, signal }, categories);
      }
      return { end: { kind: 'done' }, categories: [] };
    } catch (error) {
      if (signal.aborted || isLeaseLost(error)) throw error;
      return { end: { ...this.failures.judge(error, 1), kind: 'blocked' }, categories: undefined };
    }
  }

  private async pass(pass: Pass, categories: readonly IngestionCategory[]): Promise<PassReport> {
    const { setUid } = pass.claim;
    const [failed, suspects] = await Promise.all([this.messages.failures(setUid), this.suspects(setUid)]);
    const failures = new Map(failed.map((one) => [one.category, one]));
    const isPaused = ({ name }: IngestionCategory): boolean => (failures.get(name)?.retryInMs ?? 0) > 0;
    const fresh = await this.fresh(
      pass,
      categories.filter((one) => !isPaused(one) && (suspects.get(one.name)?.messages ?? 0) < MAX_BATCH),
    );
    const done = await Promise.all(
      categories.map((category) =>
        this.category(pass, category, {
          failure: failures.get(category.name),
          fresh: fresh.get(category.name),
          hasSuspects: suspects.has(category.name),
        }),
      ),
    );
    const { end: tidied, isToConsolidate } = await this.consolidated(
      pass,
      categories,
      done.flatMap(({ subjects }) => subjects),
    );
    const mayBeSuspects = suspects.size > 0 || [...fresh.values()].some(hasFailed);
    const left = mayBeSuspects ? await this.suspects(setUid) : suspects;
    // suspects wait as long as their category does
    const going = categories.filter((_, index) => !isWaiting(done[index]?.end));
    const waits = going.flatMap(({ name }) => left.get(name) ?? []).map(toEnd);
    return {
      end: together([...done.map(({ end }) => end), ...tidied, ...waits]),
      categories: categories.map(({ name }) => name),
      isToConsolidate,
    };
  }

  /**
   * Once all categories have been learned, so that one call compares what each of them has; if that is worth a call, in the next pass,
   * which waits for as many messages more as another call of extraction would.
   */
  private async consolidated(
    pass: Pass,
    categories: readonly IngestionCategory[],
    subjects: Ingested['subjects'],
  ): Promise<{ readonly end: readonly PassEnd[]; readonly isToConsolidate: boolean }> {
    try {
      const work = { ...pass, categories };
      const grown = await this.consolidator.grown(work, subjects);
      const isNow = grown !== undefined && pass.claim.isPutOff;
      if (isNow) await this.consolidator.consolidate(work, grown);
      return { end: [], isToConsolidate: grown !== undefined && !isNow };
    } catch (error) {
      if (pass.signal.aborted || isLeaseLost(error)) throw error;
      return { end: [{ ...this.failures.judge(error, 1), kind: 'blocked' }], isToConsolidate: false };
    }
  }

  /** The next batch of each category: what several read next they read in one call. */
  private async fresh(
    pass: Pass,
    categories: readonly IngestionCategory[],
  ): Promise<ReadonlyMap<string, FreshBatch>> {
    const { setUid } = pass.claim;
    const next = await Promise.all(
      categories.map(async (category) => ({
        category,
        messages: await this.messages.next(setUid, category.name, MAX_BATCH),
      })),
    );
    const groups = groupsOf(next.filter(({ messages }) => messages.length > 0));
    const batches = await Promise.all(
      groups.map(async (group) => {
        const isFull = group.messages.length === MAX_BATCH;
        const ends = await this.ends(pass, group);
        return ends.map(({ category, end }) => [category, { end, isFull }] as const);
      }),
    );
    return new Map(batches.flat());
  }

  /**
   * What became of a batch for each category. One that the model makes nothing of for several categories is read again for
   * each by itself, so that none fails with another; where they are too long together, for half of them.
   */
  private async ends(pass: Pass, group: CategoryGroup): Promise<readonly CategoryEnd[]> {
    const { categories, messages } = group;
    try {
      return await inChildSpan('ingest categories', {}, () =>
        this.categories.ingest({ ...pass, categories }, messages),
      );
    } catch (error) {
      const apart = pass.signal.aborted ? undefined : partsAfter(error, group);
      if (!apart) return categories.map(({ name }) => ({ category: name, end: { error } }));
      this.logger.warn('categories could not be ingested together', { set_uid: pass.claim.setUid, error });
      return (await Promise.all(apart.map((part) => this.ends(pass, part)))).flat();
    }
  }

  private async suspects(setUid: string): Promise<ReadonlyMap<string, Suspects>> {
    return new Map((await this.unfinished.suspects(setUid)).map((one) => [one.category, one]));
  }

  /** The next batch, and one of suspects: these do not keep the others waiting, unless they are too many. */
  private async category(pass: Pass, category: IngestionCategory, before: Before): Promise<CategoryDone> {
    const { failure, fresh, hasSuspects } = before;
    if (failure && failure.retryInMs > 0)
      return { end: { ...failure, kind: 'retrying', afterMs: failure.retryInMs }, subjects: [] };
    const { setUid } = pass.claim;
    const { name } = category;
    try {
      const first = fresh ? await this.settled(pass, name, fresh.end, 0) : NOTHING;
      const mayBeSuspects = hasSuspects || (fresh && hasFailed(fresh));
      const suspected = mayBeSuspects ? await this.unfinished.next(setUid, name) : undefined;
      const second = suspected ? await this.retried(pass, category, suspected) : NOTHING;
      return {
        end: { kind: first.isMore || second.isMore || fresh?.isFull ? 'more' : 'done' },
        subjects: [...first.subjects, ...second.subjects],
      };
    } catch (error) {
      if (pass.signal.aborted || isLeaseLost(error)) throw error;
      // the next pass sees how things are now
      if (error instanceof CategoryGoneError || error instanceof PartitionChangedError)
        return { end: { kind: 'more' }, subjects: [] };
      return {
        end: await this.failures.putOff(pass.claim, name, failure?.failures ?? 0, error),
        subjects: [],
      };
    }
  }

  private async retried(
    pass: Pass,
    category: IngestionCategory,
    { messages, failures }: SuspectBatch,
  ): Promise<Ingested> {
    const isAlone = failures >= FAILURES_TO_READ_ALONE;
    const [one] = await this.ends({ ...pass, isAlone }, { categories: [category], messages });
    return one ? this.settled(pass, category.name, one.end, failures) : NOTHING;
  }

  /**
   * What a model makes nothing of is cut in two, and each half tried alone, until one message is left, which is given up
   * after its tries. The messages of the other half are done then, and are not asked again.
   * @throws what says nothing about the messages
   */
  private async settled(
    pass: Pass,
    category: string,
    end: CategoryEnd['end'],
    failures: number,
  ): Promise<Ingested> {
    if (!('error' in end)) return end;
    const { error } = end;
    const isOfBatch = error instanceof BatchFailedError && isAboutMessages(error.cause);
    if (pass.signal.aborted || !isOfBatch) throw error;
    this.logger.warn('a batch could not be ingested', { set_uid: pass.claim.setUid, error: error.cause });
    const { episodeUids, cause } = error;
    await this.failures.suspect(pass.claim, category, { episodeUids, failures: failures + 1, cause });
    return { isMore: true, subjects: [] };
  }
}

/** Its messages may be suspects by now: while a set is claimed, no other process makes any. */
const hasFailed = ({ end }: FreshBatch): boolean => 'error' in end;

const NOTHING: Ingested = { isMore: false, subjects: [] };

/** What is known of a category when a pass begins. */
interface Before {
  readonly failure: CategoryFailure | undefined;
  /** What became of its next batch; undefined when it had none. */
  readonly fresh: FreshBatch | undefined;
  readonly hasSuspects: boolean;
}

/** What a pass did for a category. */
interface CategoryDone extends Pick<Ingested, 'subjects'> {
  readonly end: PassEnd;
}
