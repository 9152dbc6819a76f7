import { AppError } from '@loci/contracts';
import { Outbox, ROWS_OF_ALL, UnitOfWork } from '@loci/persistence';
import { annotate } from '@loci/platform';
import { Injectable } from '@nestjs/common';
import { type Claim, jobIdOf } from '../jobs/job.js';
import { JobsRepository } from '../jobs/jobs.repository.js';
import { ProjectsRepository } from '../projects/projects.repository.js';
import { type MeteredModel } from '../usage/metered-model.js';
import { fitting } from './batch.js';
import { EpisodeSource } from './episode-source.js';
import { toChanges } from './extraction-changes.js';
import { extractionPrompt, type IngestionCategory } from './extraction-prompt.js';
import { type Extraction, EXTRACTION_FORM, extractionSchema, readExtraction } from './extraction-reply.js';
import { FeatureStore } from './feature-store.js';
import { type IngestionEpisode } from './ingestion-episode.js';
import { IngestionSets } from './ingestion-sets.js';
import { MessagesRepository } from './messages.repository.js';

const MAX_BATCH_TOKENS = 8_000;
/** A single message that a model cannot read is cut down to this before it is given up. */
const MIN_MESSAGE_TOKENS = 500;

/** Features that the model is shown. */
const CONTEXT_FEATURES = 50;

export interface CategoryWork {
  readonly claim: Claim;
  readonly category: IngestionCategory;
  readonly model: MeteredModel;
  /** Messages that this pass takes at most: fewer after failures, so that one bad message spoils less and less. */
  readonly limit: number;
  readonly signal: AbortSignal;
}

/** Draws features from one batch of messages for one category: one call, one transaction. */
@Injectable()
export class CategoryIngester {
  constructor(
    private readonly messages: MessagesRepository,
    private readonly episodes: EpisodeSource,
    private readonly features: FeatureStore,
    private readonly jobs: JobsRepository,
    private readonly projects: ProjectsRepository,
    private readonly sets: IngestionSets,
    private readonly unitOfWork: UnitOfWork,
    private readonly outbox: Outbox,
  ) {}

  /**
   * @returns whether there may be more messages
   * @throws AppError what the model, or anything else on the way, failed with; `lease_lost`
   * @throws CategoryGoneError
   */
  async ingest({ claim, category, model, limit, signal }: CategoryWork): Promise<boolean> {
    const waiting = await this.messages.next(claim.setUid, category.name, limit);
    if (waiting.length === 0) return false;
    const episodes = await this.episodes.read(waiting);
    const read = await this.extract({ claim, category, model, limit, signal }, episodes);
    const { commands, refused } = read.extraction;
    annotate({ 'loci.messages': read.batch.length, 'loci.commands': commands.length });
    const found = new Set(episodes.map(({ episodeUid }) => episodeUid));
    const gone = waiting.filter(({ episodeUid }) => !found.has(episodeUid));
    const through = [...gone, ...read.batch].map(({ episodeUid }) => episodeUid);
    await this.unitOfWork.run(
      async (tx) => {
        // projects before jobs: everybody locks in this order
        await this.projects.hold([...new Set(read.batch.map(({ projectUid }) => projectUid))], tx);
        await this.jobs.fence(claim, tx);
        await this.sets.fence(claim.setUid, category, tx);
        const changes = toChanges(commands, read.batch);
        if (changes.length > 0) {
          const origin = {
            kind: 'ingestion' as const,
            jobId: jobIdOf(claim),
            model: model.name,
            episodes: read.batch.map(({ episodeUid }) => episodeUid),
          };
          await this.features.apply(tx, { place: claim, category: category.name, changes, origin });
        }
        await this.messages.markIngested(claim, { category: category.name, refused }, through, tx);
      },
      { scope: ROWS_OF_ALL },
    );
    this.outbox.wake();
    return waiting.length === limit || read.batch.length < episodes.length;
  }

  /** Asks once; a batch that the model cannot read is halved, and a message that it cannot read is cut. */
  private async extract(
    work: CategoryWork,
    episodes: readonly IngestionEpisode[],
  ): Promise<{ batch: readonly IngestionEpisode[]; extraction: Extraction }> {
    let bounds = { maxMessages: work.limit, maxTokens: MAX_BATCH_TOKENS };
    let maxMessageTokens = MAX_BATCH_TOKENS;
    for (;;) {
      const batch = fitting(episodes, bounds);
      if (batch.length === 0) return { batch, extraction: { commands: [], refused: [] } };
      try {
        return { batch, extraction: await this.ask(work, batch, maxMessageTokens) };
      } catch (error) {
        if (!(error instanceof AppError) || error.code !== 'model_input_too_long') throw error;
        if (batch.length > 1) bounds = { ...bounds, maxMessages: Math.ceil(batch.length / 2) };
        else if (maxMessageTokens > MIN_MESSAGE_TOKENS) maxMessageTokens = Math.ceil(maxMessageTokens / 2);
        else throw error;
      }
    }
  }

  private async ask(
    { claim, category, model, signal }: CategoryWork,
    batch: readonly IngestionEpisode[],
    maxMessageTokens: number,
  ): Promise<Extraction> {
    const texts = batch.map(({ content }) => content);
    const known = await this.features.relevant(claim.setUid, category.name, texts, CONTEXT_FEATURES);
    const reply = await model.generateJson({
      messages: extractionPrompt({ category, known, batch, maxMessageTokens }),
      schema: extractionSchema(batch.length),
      accepts: EXTRACTION_FORM,
      schemaName: 'memory_commands',
      signal,
    });
    return readExtraction(reply, batch.length);
  }
}
