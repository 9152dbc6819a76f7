import { AppError } from '@loci/contracts';
import { Outbox, ROWS_OF_ALL, type Transaction, UnitOfWork } from '@loci/persistence';
import { annotate } from '@loci/platform';
import { Injectable } from '@nestjs/common';
import { type Claim, jobIdOf } from '../jobs/job.js';
import { JobsRepository } from '../jobs/jobs.repository.js';
import { ProjectsRepository } from '../../projects/projects.repository.js';
import { type MeteredModel } from '../usage/metered-model.js';
import { fitting, MAX_BATCH_TOKENS } from './batch.js';
import { EpisodeSource } from './episode-source.js';
import { toChanges, toSubjectChanges } from './extraction-changes.js';
import { extractionPrompt, type IngestionCategory } from './extraction-prompt.js';
import {
  type Extraction,
  EXTRACTION_FORM,
  extractionSchema,
  readExtraction,
  type RefusedCommand,
} from './extraction-reply.js';
import { type FeatureChange, type NamedChange } from '../../features/feature-change.js';
import { FeatureStore } from './feature-store.js';
import { type IngestionEpisode } from './ingestion-episode.js';
import { IngestionPartitions, type PartitionedMessages } from './ingestion-partitions.js';
import { IngestionSets } from './ingestion-sets.js';
import { type MessagePart, partOf } from './message-part.js';
import { userOf } from '../../features/message-user.js';
import { MessagesRepository } from './messages.repository.js';
import { type WaitingMessage } from './waiting-message.js';
import { MAX_BATCH } from '../jobs/retry-plan.js';
import { UnfinishedMessages } from './unfinished-messages.js';

/** A message that a model cannot read in parts of this size is given up. */
const MIN_PART_TOKENS = 500;

/** Features that the model is shown. */
const CONTEXT_FEATURES = 50;

export interface CategoryWork {
  readonly claim: Claim;
  readonly category: IngestionCategory;
  readonly model: MeteredModel;
  readonly signal: AbortSignal;
}

/** What became of some messages. */
export interface Ingested {
  /** Whether some of them are left. */
  readonly isMore: boolean;
  /** Whom what was written is about; undefined: features without a subject. */
  readonly subjects: readonly (string | undefined)[];
}

interface Written extends Pick<Ingested, 'subjects'> {
  readonly refused: readonly RefusedCommand[];
}

const NOTHING: Written = { refused: [], subjects: [] };

const subjectsOf = (changes: readonly FeatureChange[]): (string | undefined)[] => [
  ...new Set(changes.map((change) => ('subject' in change ? change.subject : undefined))),
];

/** What one call reads: some messages, or a part of one. */
interface Excerpt {
  readonly batch: readonly IngestionEpisode[];
  /** Absent when the messages are whole. */
  readonly part?: MessagePart | undefined;
}

/** The model could not make anything of these messages; the cause says why. */
export class BatchFailedError extends Error {
  override readonly name = 'BatchFailedError';

  constructor(
    readonly episodeUids: readonly string[],
    cause: unknown,
  ) {
    super('A batch of messages could not be ingested.', { cause });
  }
}

/** Draws features from one batch of messages for one category: one call, one transaction. */
@Injectable()
export class CategoryIngester {
  constructor(
    private readonly messages: MessagesRepository,
    private readonly unfinished: UnfinishedMessages,
    private readonly episodes: EpisodeSource,
    private readonly features: FeatureStore,
    private readonly jobs: JobsRepository,
    private readonly projects: ProjectsRepository,
    private readonly sets: IngestionSets,
    private readonly partitions: IngestionPartitions,
    private readonly unitOfWork: UnitOfWork,
    private readonly outbox: Outbox,
  ) {}

  /**
   * Ingests the first of some messages, as many of its partition as one call can read; a message that is too long for one call in parts, of
   * which this is the next.
   * @throws BatchFailedError; `lease_lost` as AppError; CategoryGoneError
   */
  async ingest(work: CategoryWork, waiting: readonly WaitingMessage[]): Promise<Ingested> {
    const episodes = await this.episodes.read(waiting);
    const first = await this.partitions.first(work.claim, episodes);
    const { batch, part, extraction, readBefore } = await this.extract(work, first);
    annotate({ 'loci.messages': batch.length, 'loci.commands': extraction.commands.length });
    const found = new Set(episodes.map(({ episodeUid }) => episodeUid));
    const gone = waiting.flatMap(({ episodeUid }) => (found.has(episodeUid) ? [] : [episodeUid]));
    const read = batch.map(({ episodeUid }) => episodeUid);
    let subjects: Ingested['subjects'] = [];
    await this.unitOfWork.run(
      async (tx) => {
        const made = first ? await this.write(work, { ...first, episodes: batch }, extraction, tx) : NOTHING;
        ({ subjects } = made);
        const notMade = made.refused;
        const refused = [...readBefore, ...extraction.refused, ...notMade];
        const { setUid } = work.claim;
        const category = work.category.name;
        const [only] = read;
        if (part?.next !== undefined && only !== undefined) {
          const reading = { readUntil: part.next, refused };
          await this.unfinished.noteReading(setUid, category, only, reading, tx);
          return;
        }
        const through = [...gone, ...read];
        await this.messages.markIngested(work.claim, { category, refused }, through, tx);
        await this.unfinished.clear(setUid, category, through, tx);
      },
      { scope: ROWS_OF_ALL },
    );
    this.outbox.wake();
    return { isMore: part?.next !== undefined || batch.length < episodes.length, subjects };
  }

  private async write(
    { claim, category, model }: CategoryWork,
    messages: PartitionedMessages,
    { commands }: Extraction,
    tx: Transaction,
  ): Promise<Written> {
    const { partition, hasSubjects, episodes: batch } = messages;
    // projects before jobs: every transaction locks in this sequence
    await this.projects.keepOpen(claim, [...new Set(batch.map(({ projectUid }) => projectUid))], tx);
    await this.partitions.confirm(claim, messages, tx);
    await this.jobs.fence(claim, tx);
    await this.sets.fence(claim.setUid, category, tx);
    const read = hasSubjects
      ? toSubjectChanges(commands, batch)
      : { changes: toChanges(commands, batch), refused: [] };
    const { changes, refused: notMade } = read;
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
    await this.features.apply(tx, request);
    return { refused: notMade, subjects: subjectsOf(changes) };
  }

  /** Asks once; a batch that the model cannot read is halved, and a message that it cannot read is read in smaller parts. */
  private async extract(
    work: CategoryWork,
    messages: PartitionedMessages | undefined,
  ): Promise<Excerpt & { extraction: Extraction; readBefore: readonly RefusedCommand[] }> {
    let batch = fitting(messages?.episodes ?? [], { maxMessages: MAX_BATCH, maxTokens: MAX_BATCH_TOKENS });
    const [first] = batch;
    if (!first || !messages) return { batch, extraction: { commands: [], refused: [] }, readBefore: [] };
    let maxTokens = MAX_BATCH_TOKENS;
    for (;;) {
      const isAlone = batch.length === 1;
      try {
        const { readUntil, refused } = isAlone
          ? await this.unfinished.reading(work.claim.setUid, work.category.name, first.episodeUid)
          : { readUntil: 0, refused: [] };
        const part = isAlone ? partOf(first.content, readUntil, maxTokens) : undefined;
        return {
          batch,
          part,
          extraction: await this.ask(work, messages, { batch, part }),
          readBefore: refused,
        };
      } catch (error) {
        const isTooLong = error instanceof AppError && error.code === 'model_input_too_long';
        if (isTooLong && !isAlone) batch = batch.slice(0, Math.ceil(batch.length / 2));
        else if (isTooLong && maxTokens > MIN_PART_TOKENS) maxTokens = Math.ceil(maxTokens / 2);
        else
          throw new BatchFailedError(
            batch.map(({ episodeUid }) => episodeUid),
            error,
          );
      }
    }
  }

  private async ask(
    { claim, category, model, signal }: CategoryWork,
    { partition, hasSubjects }: PartitionedMessages,
    { batch, part }: Excerpt,
  ): Promise<Extraction> {
    const shown = part ? batch.map((episode) => ({ ...episode, content: part.text })) : batch;
    const texts = shown.map(({ content }) => content);
    const subjects = hasSubjects ? [...new Set(batch.map(userOf)), '', undefined] : [undefined];
    const context = {
      location: claim,
      category: category.name,
      partition,
      subjects,
      texts,
      limit: CONTEXT_FEATURES,
    };
    const known = await this.features.relevant(context);
    const reply = await model.generateJson({
      messages: extractionPrompt({
        category,
        known,
        batch: shown,
        excerpt: excerptOf(batch, part),
        hasSubjects,
      }),
      schema: extractionSchema(batch.length, { hasSubjects }),
      accepts: EXTRACTION_FORM,
      schemaName: 'memory_commands',
      signal,
    });
    return readExtraction(reply, batch.length);
  }
}

/** In the words of the prompt. */
function excerptOf([only]: readonly IngestionEpisode[], part: MessagePart | undefined): string | undefined {
  const length = only?.content.length ?? 0;
  if (!part || (part.from === 0 && part.to === length)) return undefined;
  return `characters ${part.from} to ${part.to} of ${length}`;
}
