import { AppError } from '@loci/contracts';
import { Outbox, ROWS_OF_ALL, type Transaction, UnitOfWork } from '@loci/persistence';
import { annotate, inChildSpan, Logger } from '@loci/platform';
import { Inject, Injectable } from '@nestjs/common';
import { v7 as uuidv7 } from 'uuid';
import { SemanticServiceEnv } from '../../env.js';
import { type FeatureChange } from '../../features/feature-change.js';
import { type FeatureGroup, GROWTH } from '../../features/partition.js';
import { type IngestionCategory } from '../extraction/extraction-prompt.js';
import { FeatureStore, type ShownFeature } from '../extraction/feature-store.js';
import { IngestionSets } from '../extraction/ingestion-sets.js';
import { type Claim, jobIdOf } from '../jobs/job.js';
import { JobsRepository } from '../jobs/jobs.repository.js';
import { CallRecords, type RecordedReply } from '../model-calls/call-records.js';
import { type MeteredModel } from '../usage/metered-model.js';
import { CONSOLIDATION_PROMPT_VERSION, consolidationPrompt } from './consolidation-prompt.js';
import {
  CONSOLIDATION_SCHEMA,
  type FoundContradiction,
  type MergedFeature,
  readConsolidation,
  readContradictions,
} from './consolidation-reply.js';
import { ConsolidationsRepository, type LastConsolidation } from './consolidations.repository.js';

/** What is known of a subject is consolidated when it has so many features. */
export const CONSOLIDATION_THRESHOLD = 20;

/** What a consolidation left is looked at again when a quarter as many have come, or so many: most of it may be distinct. */
const REGROWTH_SHARE = 0.25;
const MIN_REGROWTH = 10;
/** The newest so many are compared with all that there is, so that no more may have come. */
export const MAX_REGROWTH = GROWTH;

/** Features that a model is shown at once. */
const MAX_FEATURES = 100;

/** What ends the work on a set altogether. */
const ENDING: ReadonlySet<string> = new Set(['lease_lost', 'semantic_memory_disabled']);

export interface ConsolidationWork {
  readonly claim: Claim;
  /** All that are at work in the set. */
  readonly categories: readonly IngestionCategory[];
  readonly model: MeteredModel;
  readonly signal: AbortSignal;
}

/** What a model made of the features that it was shown. */
interface Consolidated {
  readonly shown: readonly ShownFeature[];
  readonly merged: readonly MergedFeature[];
  readonly contradictions: readonly FoundContradiction[];
  readonly callUid: string;
}

/**
 * Merges features of one subject that say the same, and notes which contradict each other, under whatever tags and names, each
 * partition by itself.
 */
@Injectable()
export class Consolidator {
  constructor(
    private readonly features: FeatureStore,
    private readonly consolidations: ConsolidationsRepository,
    private readonly sets: IngestionSets,
    private readonly jobs: JobsRepository,
    private readonly unitOfWork: UnitOfWork,
    private readonly outbox: Outbox,
    private readonly logger: Logger,
    @Inject(CallRecords) private readonly calls: Pick<CallRecords, 'ask' | 'noteMade'>,
    @Inject(SemanticServiceEnv)
    private readonly env: Pick<SemanticServiceEnv, 'CONSOLIDATION_MAX_SHARE'>,
  ) {}

  /**
   * What has grown enough to be consolidated since it last was, and most.
   * @param subjects of whom something was learned; undefined: features without a subject
   */
  async grown(
    { claim, categories }: Pick<ConsolidationWork, 'claim' | 'categories'>,
    subjects: readonly (string | undefined)[],
  ): Promise<FeatureGroup | undefined> {
    if (subjects.length === 0) return undefined;
    const names = categories.map(({ name }) => name);
    const groups = await this.features.groups(claim, names, subjects);
    const large = groups.filter(
      (group) => group.count >= CONSOLIDATION_THRESHOLD && isOfOneProject(group, claim),
    );
    if (large.length === 0) return undefined;
    const lastOf = await this.consolidations.last(claim.setUid, large);
    return large
      .map((group) => ({ group, last: lastOf(group) }))
      .map(({ group, last }) => ({ group, more: moreOf(group, last), needed: regrowthOf(last.features) }))
      .filter(({ more, needed }) => more >= needed)
      .sort((a, b) => b.more - a.more)[0]?.group;
  }

  /**
   * Asks the model once. What cannot be consolidated stays as it is until more has come: what was ingested must not wait for it.
   * @throws AppError `lease_lost`, `semantic_memory_disabled`
   */
  async consolidate(work: ConsolidationWork, group: FeatureGroup): Promise<void> {
    const { claim, signal } = work;
    try {
      await inChildSpan('consolidate', {}, () => this.consolidateGroup(work, group));
    } catch (error) {
      if (signal.aborted || (error instanceof AppError && ENDING.has(error.code))) throw error;
      this.logger.warn('features could not be consolidated', { set_uid: claim.setUid, error });
      await this.note(work, group);
    }
  }

  private async consolidateGroup(work: ConsolidationWork, group: FeatureGroup): Promise<void> {
    const { claim, categories } = work;
    const shown = await this.features.alike({
      location: claim,
      categories: categories.map(({ name }) => name),
      partition: group.partition,
      subjects: [group.subject],
      newest: MAX_REGROWTH,
      limit: MAX_FEATURES,
    });
    const { value: reply, callUid } = await this.ask(work, group, shown);
    const maxRemoved = Math.floor(shown.length * this.env.CONSOLIDATION_MAX_SHARE);
    const read = readConsolidation(reply, shown, maxRemoved);
    const undone = await this.features.takenApart(
      claim,
      read.flatMap(({ replaces }) => replaces),
    );
    const merged = read.filter(({ replaces }) => !wereTakenApart(replaces, undone));
    const contradictions = readContradictions(reply, shown);
    annotate({
      'loci.features': shown.length,
      'loci.merged': merged.length,
      'loci.contradictions': contradictions.length,
      'loci.prompt_version': CONSOLIDATION_PROMPT_VERSION,
    });
    const made = { shown, merged, contradictions, callUid };
    await this.unitOfWork.run((tx) => this.write(work, group, made, tx), { scope: ROWS_OF_ALL });
    this.outbox.wake();
  }

  private ask(
    { claim, categories, model, signal }: ConsolidationWork,
    { partition }: FeatureGroup,
    shown: readonly ShownFeature[],
  ): Promise<RecordedReply> {
    const request = {
      messages: consolidationPrompt(shown),
      schema: CONSOLIDATION_SCHEMA,
      schemaName: 'consolidation',
      signal,
    } as const;
    const { setUid, orgId } = claim;
    return this.calls.ask(model, request, {
      kind: 'consolidation',
      categories: categories.map(({ name }) => name),
      setUid,
      orgId,
      projectUid: partition.sourceProjectUid ?? claim.projectUid ?? '',
      read: [],
      earlier: [],
      known: shown.map(({ uid }) => uid),
    });
  }

  /** One change, whatever the categories. A merge of what changed while the model was asked is left out. */
  private async write(
    { claim, categories, model }: ConsolidationWork,
    group: FeatureGroup,
    { callUid, ...made }: Consolidated,
    tx: Transaction,
  ): Promise<void> {
    const { partition, count } = group;
    await this.jobs.fence(claim, tx);
    const origin = {
      kind: 'consolidation' as const,
      changeUid: uuidv7(),
      jobId: jobIdOf(claim),
      model: model.name,
      episodes: [],
    };
    let removed = 0;
    for (const category of categories) {
      const changes = changesOf(category, group, made);
      if (changes.length === 0) continue;
      await this.sets.fence(claim.setUid, category, tx);
      const request = { location: claim, category: category.name, partition, changes, origin };
      const applied = await this.features.apply(tx, request);
      await this.calls.noteMade({ uid: callUid, setUid: claim.setUid }, category.name, applied, tx);
      removed += applied.removed.length - applied.added.length;
    }
    await this.consolidations.note(claim.setUid, { ...group, count: count - removed }, tx);
  }

  private note({ claim }: ConsolidationWork, group: FeatureGroup): Promise<void> {
    return this.unitOfWork.run(
      async (tx) => {
        await this.jobs.fence(claim, tx);
        await this.consolidations.note(claim.setUid, group, tx);
      },
      { scope: ROWS_OF_ALL },
    );
  }
}

/** What contradicts a feature that is merged contradicts what it becomes: it is noted before. */
const changesOf = (
  { name: category }: IngestionCategory,
  { subject }: FeatureGroup,
  { shown, merged, contradictions }: Omit<Consolidated, 'callUid'>,
): FeatureChange[] => [
  ...contradictions
    .filter((one) => one.category === category)
    .map(({ uids }) => ({ kind: 'contradict' as const, uids, read: shown })),
  ...merged
    .filter((one) => one.category === category)
    .map(({ tag, name, value, replaces }) => ({
      kind: 'replace' as const,
      uids: replaces,
      read: shown,
      by: [{ subject, tag, name, value }],
    })),
];

/** Whether one undo brought back two of them: a client wants them apart. */
function wereTakenApart(uids: readonly string[], undone: ReadonlyMap<string, readonly string[]>): boolean {
  const changes = uids.flatMap((uid) => undone.get(uid) ?? []);
  return new Set(changes).size < changes.length;
}

/** How many have come since; of a subject with very many, whether as many as are always enough. */
function moreOf({ count, grownAt }: FeatureGroup, { features, at }: LastConsolidation): number {
  if (!grownAt || !at) return count - features;
  return grownAt > at ? GROWTH : 0;
}

/** How many more there must be than a consolidation left. */
const regrowthOf = (before: number): number =>
  Math.min(MAX_REGROWTH, Math.max(MIN_REGROWTH, Math.ceil(before * REGROWTH_SHARE)));

/** In a set of an organization, what no single project supports is left to clients. */
const isOfOneProject = ({ partition }: FeatureGroup, { projectUid }: Claim): boolean =>
  projectUid !== undefined || partition.sourceProjectUid !== undefined;
