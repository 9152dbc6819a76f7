import { AppError, tooLarge, unavailable } from '@loci/contracts';
import { isCutOff } from '@loci/models';
import { countTokens } from '@loci/platform';
import { Inject, Injectable } from '@nestjs/common';
import { MAX_BATCH } from '../jobs/retry-plan.js';
import { CallRecords, type RecordedReply } from '../model-calls/call-records.js';
import { fitting, MAX_BATCH_TOKENS, tokensOf } from './batch.js';
import { tokensOfCategories } from './category-groups.js';
import { newestFitting } from './earlier-messages.js';
import { EpisodeSource } from './episode-source.js';
import { type Excerpt, ExtractionQuestions, type ExtractionWork } from './extraction-questions.js';
import { type Extraction, MAX_COMMANDS, readExtractions, type RefusedCommand } from './extraction-reply.js';
import { type IngestionEpisode } from './ingestion-episode.js';
import { IngestionPartitions, type PartitionedMessages } from './ingestion-partitions.js';
import { partOf } from './message-part.js';
import { TooLongRequests } from './too-long-requests.js';
import { type Reading, UnfinishedMessages } from './unfinished-messages.js';
import { type WaitingMessage } from './waiting-message.js';

/** A message that a model cannot read in parts of this size is given up. */
const MIN_PART_TOKENS = 500;

/** What a model drew from messages. */
export interface ReadBatch extends Excerpt {
  /** By category. */
  readonly extractions: ReadonlyMap<string, Extraction>;
  /** Names the call; absent when there was none. */
  readonly callUid?: string | undefined;
  /** Commands of each category that were refused in the former parts of the message. */
  readonly refusedBefore: ReadonlyMap<string, readonly RefusedCommand[]>;
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

/** The categories are at different positions of a long message: each has to read on by itself. */
export class ReadApartError extends Error {
  override readonly name = 'ReadApartError';

  constructor() {
    super('Categories are not equally far in a message.');
  }
}

/** Asks a model what messages say, for all categories in one call. */
@Injectable()
export class BatchReader {
  constructor(
    private readonly unfinished: UnfinishedMessages,
    private readonly questions: ExtractionQuestions,
    private readonly episodes: EpisodeSource,
    private readonly partitions: IngestionPartitions,
    @Inject(TooLongRequests) private readonly tooLong: Pick<TooLongRequests, 'has' | 'answered' | 'refused'>,
    @Inject(CallRecords) private readonly calls: Pick<CallRecords, 'ask'>,
  ) {}

  /**
   * Reads the first messages, as many as one call can. A batch that the model cannot read, or of which it has more to say than
   * one reply can, is halved, and such a message is read in smaller parts, of which the next have the size that could be read.
   * For several categories it is only where it is too long for the model and more of that than they are: else fewer may fit.
   * @param waiting the messages, by name
   * @throws BatchFailedError, ReadApartError
   */
  async read(
    work: ExtractionWork,
    messages: PartitionedMessages,
    waiting: readonly WaitingMessage[],
  ): Promise<ReadBatch> {
    let batch: readonly IngestionEpisode[] = fitting(messages.episodes, {
      maxMessages: MAX_BATCH,
      maxTokens: MAX_BATCH_TOKENS,
    });
    const earlier = await this.earlier(work, messages, { batch, waiting });
    let maxTokens = MAX_BATCH_TOKENS;
    for (;;) {
      const isForOne = work.categories.length === 1;
      const excerpt = { ...(await this.excerpt(work, batch, maxTokens)), earlier };
      const less = lessThan(excerpt);
      const asked = { ...excerpt, isLast: isForOne && !less };
      try {
        const read = { ...excerpt, ...(await this.ask(work, messages, asked)) };
        if (!isFull(read) || asked.isLast) return read;
        if (!isForOne) throw unavailable('model_reply_unusable', TOO_MUCH);
      } catch (error) {
        const failed = batch.map(({ episodeUid }) => episodeUid);
        const isDivided = isForOne ? isTooLong(error) : isInputTooLong(error) && isMostOf(excerpt, work);
        if (!less || !isDivided) throw new BatchFailedError(failed, error);
      }
      if (less) ({ batch, maxTokens = MAX_BATCH_TOKENS } = less);
    }
  }

  /** The messages, or the next part of the only one. @throws ReadApartError */
  private async excerpt(
    work: ExtractionWork,
    batch: readonly IngestionEpisode[],
    maxTokens: number,
  ): Promise<Pick<ReadBatch, 'batch' | 'part' | 'refusedBefore'>> {
    const [first] = batch;
    const readings = first && batch.length === 1 ? await this.readings(work, first) : [];
    const [{ readUntil } = NOTHING_READ] = readings.map(([, reading]) => reading);
    if (readings.some(([, reading]) => reading.readUntil !== readUntil)) throw new ReadApartError();
    const sizes = readings.flatMap(([, { partTokens }]) => partTokens ?? []);
    const size = Math.min(maxTokens, ...sizes);
    return {
      batch,
      part: first && batch.length === 1 ? partOf(first.content, readUntil, size) : undefined,
      refusedBefore: new Map(readings.map(([category, { refused }]) => [category, refused])),
    };
  }

  /**
   * Of the partition of the messages: what strangers said before them is not shown beside them either. Nor is what a model
   * made nothing of, which would take them along.
   */
  private async earlier(
    { claim, isAlone = false }: ExtractionWork,
    messages: PartitionedMessages,
    { batch, waiting }: Pick<Excerpt, 'batch'> & { readonly waiting: readonly WaitingMessage[] },
  ): Promise<IngestionEpisode[]> {
    if (isAlone) return [];
    const uids = new Set(batch.map(({ episodeUid }) => episodeUid));
    const found = await this.episodes.before(waiting.filter(({ episodeUid }) => uids.has(episodeUid)));
    const unread = await this.unfinished.unread(
      claim.setUid,
      found.map(({ episodeUid }) => episodeUid),
    );
    const others = found.filter(({ episodeUid }) => !uids.has(episodeUid) && !unread.has(episodeUid));
    return newestFitting(await this.partitions.sharing(claim, messages, others));
  }

  /** How far each category is in a message. */
  private readings(
    { claim, categories }: ExtractionWork,
    { episodeUid }: IngestionEpisode,
  ): Promise<(readonly [string, Reading])[]> {
    return Promise.all(
      categories.map(
        async ({ name }) => [name, await this.unfinished.reading(claim.setUid, name, episodeUid)] as const,
      ),
    );
  }

  /** What the model refused as too long a moment ago, it is asked only where nothing less is left. */
  private async ask(
    work: ExtractionWork,
    messages: PartitionedMessages,
    { isLast, ...excerpt }: Excerpt & { readonly isLast: boolean },
  ): Promise<Pick<ReadBatch, 'extractions' | 'callUid'>> {
    const { batch, earlier } = excerpt;
    const { setUid, orgId } = work.claim;
    const { request, names, known } = await this.questions.about(work, messages, excerpt);
    // of one project in a set of an organization
    const [{ projectUid } = { projectUid: '' }] = batch;
    const asked = { orgId, model: work.model.name };
    const tokens = request.messages.reduce((sum, { content }) => sum + countTokens(content), 0);
    if (!isLast && this.tooLong.has(asked, tokens)) throw tooLarge('model_input_too_long', TOO_LONG);
    const reply = this.calls.ask(work.model, request, {
      ...{ kind: 'extraction', categories: names, setUid, orgId, projectUid, read: batch, earlier, known },
    });
    const { value, callUid }: RecordedReply = await reply.catch((error: unknown) => {
      if (isInputTooLong(error)) this.tooLong.refused(asked, tokens);
      throw error;
    });
    this.tooLong.answered(asked, tokens);
    return { extractions: readExtractions(value, batch.length, names), callUid };
  }
}

const TOO_MUCH = `The language model has as much as one reply may have, ${MAX_COMMANDS} commands, or more, to say for several categories.`;

const TOO_LONG = 'The language model refused a request of this length a moment ago.';

const isInputTooLong = (error: unknown): boolean =>
  error instanceof AppError && error.code === 'model_input_too_long';

const isTooLong = (error: unknown): boolean => isCutOff(error) || isInputTooLong(error);

/** Whether messages take more of a request than what is looked for in them. */
const isMostOf = (
  { batch, part }: Pick<Excerpt, 'batch' | 'part'>,
  { categories }: Pick<ExtractionWork, 'categories'>,
): boolean => (part ? countTokens(part.text) : tokensOf(batch)) > tokensOfCategories(categories);

/** Whether the reply may have left something out. */
const isFull = ({ extractions }: ReadBatch): boolean =>
  [...extractions.values()].reduce(
    (sum, { commands, refused }) => sum + commands.length + refused.length,
    0,
  ) >= MAX_COMMANDS;

/** The half of the messages, or a part half as long of the only one; undefined when that would be too little. */
function lessThan({
  batch,
  part,
}: Pick<Excerpt, 'batch' | 'part'>):
  { readonly batch: readonly IngestionEpisode[]; readonly maxTokens?: number } | undefined {
  if (batch.length > 1) return { batch: batch.slice(0, Math.ceil(batch.length / 2)) };
  const tokens = countTokens(part?.text ?? '');
  if (tokens <= MIN_PART_TOKENS) return undefined;
  return { batch, maxTokens: Math.max(MIN_PART_TOKENS, Math.ceil(tokens / 2)) };
}

const NOTHING_READ: Reading = { readUntil: 0, refused: [] };
