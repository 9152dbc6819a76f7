import { isTooLarge } from '@loci/contracts';
import { Outbox, type Transaction, UnitOfWork } from '@loci/persistence';
import { annotate } from '@loci/platform';
import { Inject, Injectable } from '@nestjs/common';
import { type FeatureChange, type NamedChange } from '../../features/feature-change.js';
import { ProjectsRepository } from '../../projects/projects.repository.js';
import { jobIdOf } from '../jobs/job.js';
import { JobsRepository } from '../jobs/jobs.repository.js';
import { CallRecords } from '../model-calls/call-records.js';
import { BatchFailedError, BatchReader, type ReadBatch } from './batch-reader.js';
import { EpisodeSource } from './episode-source.js';
import { changesOf } from './extraction-changes.js';
import { EXTRACTION_PROMPT_VERSION, type IngestionCategory } from './extraction-prompt.js';
import { type ExtractionWork } from './extraction-questions.js';
import { type ExtractionCommand, type RefusedCommand } from './extraction-reply.js';
import { FeatureStore } from './feature-store.js';
import { IngestionPartitions, type PartitionedMessages } from './ingestion-partitions.js';
import { IngestionSets } from './ingestion-sets.js';
import { MessagesRepository } from './messages.repository.js';
import { UnfinishedMessages } from './unfinished-messages.js';
import { type WaitingMessage } from './waiting-message.js';

/** What became of some messages. */
export interface Ingested {
  /** Whether some of them are left. */
  readonly isMore: boolean;
  /** Whom what was written is about; undefined: features without a subject. */
  readonly subjects: readonly (string | undefined)[];
}

/** What became of them for one category. */
export interface CategoryEnd {
  readonly category: string;
  /** What was written, or why nothing was. */
  readonly end: Ingested | { readonly error: unknown };
}

interface Written extends Pick<Ingested, 'subjects'> {
  readonly refused: readonly RefusedCommand[];
}

interface CategoryWork
  extends Pick<ExtractionWork, 'claim' | 'model'>, Pick<ReadBatch, 'earlier' | 'callUid'> {
  readonly category: IngestionCategory;
}

/** What one call was about. */
interface Reading {
  readonly work: ExtractionWork;
  /** Those that are there, of one partition; undefined when there are none. */
  readonly messages: PartitionedMessages | undefined;
  /** How many are there, of all partitions. */
  readonly found: number;
  /** Those that are deleted. */
  readonly gone: readonly string[];
  readonly read: ReadBatch;
}

const NOTHING: Written = { refused: [], subjects: [] };
const NOTHING_READ: ReadBatch = { batch: [], earlier: [], extractions: new Map(), refusedBefore: new Map() };

const subjectsOf = (changes: readonly FeatureChange[]): (string | undefined)[] => [
  ...new Set(changes.map((change) => ('subject' in change ? change.subject : undefined))),
];

/** Draws features from one batch of messages: one call for all categories, one transaction for each. */
@Injectable()
export class CategoryIngester {
  constructor(
    private readonly messages: MessagesRepository,
    private readonly unfinished: UnfinishedMessages,
    private readonly episodes: EpisodeSource,
    private readonly reader: BatchReader,
    private readonly features: FeatureStore,
    private readonly jobs: JobsRepository,
    private readonly projects: ProjectsRepository,
    private readonly sets: IngestionSets,
    private readonly partitions: IngestionPartitions,
    @Inject(CallRecords) private readonly calls: Pick<CallRecords, 'noteMade'>,
    private readonly unitOfWork: UnitOfWork,
    private readonly outbox: Outbox,
  ) {}

  /**
   * Ingests the first of some messages, as many of its partition as one call can read; a message that is too long for one
   * call in parts, of which this is the next. What is written for a category does not depend on the others.
   * @returns an end for each category, in their sequence
   * @throws BatchFailedError, ReadApartError: nothing was written for any category
   */
  async ingest(work: ExtractionWork, waiting: readonly WaitingMessage[]): Promise<CategoryEnd[]> {
    const episodes = await this.episodes.read(waiting);
    const messages = await this.partitions.first(work.claim, episodes);
    const read = messages ? await this.reader.read(work, messages, waiting) : NOTHING_READ;
    annotate({
      'loci.messages': read.batch.length,
      'loci.categories': work.categories.length,
      'loci.commands': [...read.extractions.values()].reduce((sum, { commands }) => sum + commands.length, 0),
      'loci.prompt_version': EXTRACTION_PROMPT_VERSION,
    });
    const there = new Set(episodes.map(({ episodeUid }) => episodeUid));
    const gone = waiting.flatMap(({ episodeUid }) => (there.has(episodeUid) ? [] : [episodeUid]));
    const reading = { work, messages, found: episodes.length, gone, read };
    const ends: CategoryEnd[] = [];
    for (const category of work.categories) {
      ends.push({ category: category.name, end: await this.commit(category, reading) });
    }
    this.outbox.wake();
    return ends;
  }

  private async commit(category: IngestionCategory, reading: Reading): Promise<CategoryEnd['end']> {
    const { part, batch } = reading.read;
    try {
      const subjects = await this.unitOfWork.run((tx) => this.settle(category, reading, tx));
      return { isMore: part?.next !== undefined || batch.length < reading.found, subjects };
    } catch (error) {
      const uids = batch.map(({ episodeUid }) => episodeUid);
      return { error: isTooLarge(error) ? new BatchFailedError(uids, error) : error };
    }
  }

  /** @throws `lease_lost` as AppError; CategoryGoneError, PartitionChangedError */
  private async settle(
    category: IngestionCategory,
    { work: { claim, model }, messages, gone, read }: Reading,
    tx: Transaction,
  ): Promise<Ingested['subjects']> {
    const { batch, earlier, part, extractions, refusedBefore, callUid } = read;
    const { setUid } = claim;
    const { name } = category;
    const extraction = extractions.get(name) ?? { commands: [], refused: [] };
    const made = messages
      ? await this.write(
          { claim, model, category, earlier, callUid },
          { ...messages, episodes: batch },
          extraction.commands,
          tx,
        )
      : NOTHING;
    // what is written is fenced after its projects are locked
    if (!messages) await this.jobs.fence(claim, tx);
    const refused = [...(refusedBefore.get(name) ?? []), ...extraction.refused, ...made.refused];
    const through = batch.map(({ episodeUid }) => episodeUid);
    const [only] = through;
    if (part?.next !== undefined && only !== undefined) {
      const reading = { readUntil: part.next, partTokens: part.maxTokens, refused };
      await this.unfinished.noteReading(setUid, name, only, reading, tx);
      return made.subjects;
    }
    await this.messages.markIngested(claim, { category: name, refused }, { read: through, gone }, tx);
    return made.subjects;
  }

  private async write(
    { claim, category, model, earlier, callUid }: CategoryWork,
    messages: PartitionedMessages,
    commands: readonly ExtractionCommand[],
    tx: Transaction,
  ): Promise<Written> {
    const { partition, hasSubjects, episodes: batch } = messages;
    // projects before jobs: every transaction locks in this sequence
    await this.projects.keepOpen(claim, [...new Set(batch.map(({ projectUid }) => projectUid))], tx);
    await this.partitions.confirm(claim, { ...messages, episodes: [...batch, ...earlier] }, tx);
    await this.jobs.fence(claim, tx);
    await this.sets.fence(claim.setUid, category, tx);
    const { changes, refused: notMade } = changesOf(commands, { hasSubjects, batch, earlier });
    if (changes.length === 0) return { refused: notMade, subjects: [] };
    const origin = {
      kind: 'ingestion' as const,
      jobId: jobIdOf(claim),
      model: model.name,
      episodes: batch.map(({ episodeUid }) => episodeUid),
    };
    const onRefused = ({ kind, tag, name }: NamedChange, reason: string): void =>
      void notMade.push({ command: kind, tag, feature: name, reason });
    const request = { location: claim, category: category.name, partition, changes, origin, onRefused };
    const applied = await this.features.apply(tx, request);
    if (callUid !== undefined) {
      await this.calls.noteMade({ uid: callUid, setUid: claim.setUid }, category.name, applied, tx);
    }
    return { refused: notMade, subjects: subjectsOf(changes) };
  }
}
