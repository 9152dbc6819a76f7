import { AppError, PREVIEW_TIMEOUT_MS, unavailable } from '@loci/contracts';
import { type ChatMessage } from '@loci/models';
import { Logger } from '@loci/platform';
import { Injectable } from '@nestjs/common';
import { locationOf, type MemorySet } from '../../sets/set.js';
import { type IngestionCategory } from '../extraction/extraction-prompt.js';
import { ExtractionQuestions } from '../extraction/extraction-questions.js';
import { type Extraction, readExtractions } from '../extraction/extraction-reply.js';
import { IngestionModels } from '../extraction/ingestion-models.js';
import { type PartitionedMessages } from '../extraction/ingestion-partitions.js';
import { IngestionSets } from '../extraction/ingestion-sets.js';
import { type CallSummary } from '../model-calls/model-call.js';
import { IngestionSwitch } from '../settings/ingestion-switch.js';
import { type CallsMade, MeteredModel } from '../usage/metered-model.js';
import { ModelQuotas } from '../usage/model-quotas.js';
import { UsageRepository } from '../usage/usage.repository.js';

/** What is left for everything but the model. */
const OVERHEAD_MS = 2_000;

/** What is tried, and on what. */
export interface Trial {
  readonly set: MemorySet;
  readonly category: IngestionCategory;
  readonly messages: PartitionedMessages;
}

export interface TrialReply {
  readonly model: string;
  readonly prompt: readonly ChatMessage[];
  /** As it came, the last one; absent when none came. */
  readonly reply?: string | undefined;
  readonly extraction: Extraction;
  /** Why the reply is of no use; absent when it is of use. */
  readonly failure?: CallSummary['failure'];
  readonly spent: CallsMade;
}

/** Asks the model of a set what it would learn. Nothing is kept but what the call cost. */
@Injectable()
export class PromptTrials {
  constructor(
    private readonly questions: ExtractionQuestions,
    private readonly sets: IngestionSets,
    private readonly models: IngestionModels,
    private readonly usage: UsageRepository,
    private readonly quotas: ModelQuotas,
    private readonly ingestion: IngestionSwitch,
    private readonly logger: Logger,
  ) {}

  /**
   * A reply that is of no use is what was asked for, too: it says what the prompt makes of the model.
   * @throws AppError `model_quota_exceeded`, `semantic_memory_disabled`, and those of models
   */
  async ask({ set, category, messages }: Trial): Promise<TrialReply> {
    const { llmName } = await this.sets.describe(set.uid);
    const claim = { ...locationOf(set), attempt: '0' };
    const model = await this.metered(llmName, set);
    const signal = AbortSignal.timeout(PREVIEW_TIMEOUT_MS - OVERHEAD_MS);
    const batch = messages.episodes;
    const work = { claim, categories: [category], model, signal };
    const { request, names } = await this.questions.about(work, messages, { batch, earlier: [] });
    let reply: string | undefined;
    const outcome = await model
      .generateJson({ ...request, onReply: (text) => void (reply = text) })
      .then((value) => ({
        extraction: readExtractions(value, batch.length, names).get(category.name) ?? NOTHING,
      }))
      .catch((error: unknown) => {
        if (signal.aborted) throw tooSlow(error);
        return { failure: failureOf(error) };
      });
    const texts = { prompt: request.messages, reply };
    return { model: model.name, ...texts, extraction: NOTHING, ...outcome, spent: model.spent };
  }

  private async metered(llmName: string | undefined, set: MemorySet): Promise<MeteredModel> {
    return new MeteredModel(
      await this.models.get(llmName),
      locationOf(set),
      this.usage,
      this.quotas,
      this.logger,
      () => this.ingestion.assertOn(),
    );
  }
}

const NOTHING: Extraction = { commands: [], refused: [] };

/** @throws the error, unless it is that a reply came, and is of no use */
function failureOf(error: unknown): CallSummary['failure'] {
  if (!(error instanceof AppError) || error.code !== 'model_reply_unusable') throw error;
  return { code: error.code, reason: error.message };
}

const tooSlow = (cause: unknown): Error =>
  unavailable(
    'language_model_unavailable',
    'The language model took too long for a preview.',
    undefined,
    cause,
  );
