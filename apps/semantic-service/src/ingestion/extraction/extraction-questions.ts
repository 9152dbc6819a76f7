import { type JsonRequest } from '@loci/models';
import { Inject, Injectable } from '@nestjs/common';
import { SemanticServiceEnv } from '../../env.js';
import { userOf } from '../../features/message-user.js';
import { type Claim } from '../jobs/job.js';
import { type MeteredModel } from '../usage/metered-model.js';
import { type ShownMessages } from './command-subject.js';
import { extractionPrompt, type IngestionCategory } from './extraction-prompt.js';
import { EXTRACTION_FORM, extractionSchema, hasTooManyCommands } from './extraction-reply.js';
import { FeatureStore, type KnownFeature } from './feature-store.js';
import { type IngestionEpisode } from './ingestion-episode.js';
import { type PartitionedMessages } from './ingestion-partitions.js';
import { type MessagePart } from './message-part.js';

export interface ExtractionWork {
  readonly claim: Claim;
  /** All that one call looks for; at least one. */
  readonly categories: readonly IngestionCategory[];
  readonly model: MeteredModel;
  readonly signal: AbortSignal;
  /** Whether the messages are shown without what was said before them: it may be that of which the model makes nothing. */
  readonly isAlone?: boolean;
}

/** What one call reads: some messages, or a part of one. */
export interface Excerpt extends ShownMessages {
  /** Absent when the messages are whole. */
  readonly part?: MessagePart | undefined;
}

export interface ExtractionQuestion {
  readonly request: JsonRequest;
  /** Of the categories. */
  readonly names: readonly string[];
  /** Uids of the features that it shows. */
  readonly known: readonly string[];
}

/** What a model is asked to learn what messages say: with what its set knows already, as far as it is relevant. */
@Injectable()
export class ExtractionQuestions {
  constructor(
    private readonly features: FeatureStore,
    @Inject(SemanticServiceEnv) private readonly env: Pick<SemanticServiceEnv, 'INGESTION_KNOWN_TOKENS'>,
  ) {}

  async about(
    { claim, categories, signal }: ExtractionWork,
    messages: PartitionedMessages,
    { batch, earlier, part }: Excerpt,
  ): Promise<ExtractionQuestion> {
    const { hasSubjects } = messages;
    const shown = part ? batch.map((episode) => ({ ...episode, content: part.text })) : batch;
    const names = categories.map(({ name }) => name);
    const known = await this.known({ claim, categories }, messages, { batch: shown, earlier });
    const request = {
      messages: extractionPrompt({
        categories,
        known,
        earlier,
        batch: shown,
        excerpt: excerptOf(batch, part),
        hasSubjects,
      }),
      schema: extractionSchema(batch.length, {
        hasSubjects,
        maxSubjectChars: Math.max(...batch.map((episode) => userOf(episode).length)),
        categories: names,
      }),
      accepts: EXTRACTION_FORM,
      isBeyondRepair: hasTooManyCommands,
      schemaName: 'memory_commands',
      signal,
    };
    return { request, names, known: [...known.values()].flat().map(({ uid }) => uid) };
  }

  /** By category. */
  private async known(
    { claim, categories }: Pick<ExtractionWork, 'claim' | 'categories'>,
    { partition, hasSubjects }: PartitionedMessages,
    { batch, earlier }: ShownMessages,
  ): Promise<ReadonlyMap<string, readonly KnownFeature[]>> {
    const users = new Set([...batch, ...earlier].map(userOf));
    const subjects = hasSubjects ? [...users, '', undefined] : [undefined];
    const found = await this.features.relevant({
      location: claim,
      categories: categories.map(({ name }) => name),
      partition,
      subjects,
      texts: batch.map(({ content }) => content),
      maxTokens: this.env.INGESTION_KNOWN_TOKENS,
    });
    return new Map(
      categories.map(({ name }) => [name, found.filter(({ category }) => category === name)] as const),
    );
  }
}

/** In the words of the prompt. */
function excerptOf([only]: readonly IngestionEpisode[], part: MessagePart | undefined): string | undefined {
  const length = only?.content.length ?? 0;
  if (!part || (part.from === 0 && part.to === length)) return undefined;
  return `characters ${part.from} to ${part.to} of ${length}`;
}
