import {
  ArrayMaxSize,
  IsArray,
  IsBoolean,
  IsIn,
  IsInt,
  IsOptional,
  IsString,
  Max,
  Min,
} from 'class-validator';
import { MAX_KEEP_CALLS_DAYS } from '../ingestion/model-call.contract.js';
import { operation } from '../operation.js';
import { Done } from '../projects/project.contract.js';
import { SemanticRequest, SemanticWriteRequest } from '../semantic/semantic-request.contract.js';

/** Names in one list of trusted producers. */
export const MAX_TRUSTED_PRODUCERS = 1_000;

/**
 * Whom the facts of a project are about. `users`: each has a subject, most often the user whose messages say it.
 * `project`: none has, as in projects that are older than subjects.
 */
export const FACTS_OF = ['users', 'project'] as const;
export type FactsOf = (typeof FACTS_OF)[number];

/** How a project uses semantic memory. */
export class SemanticSettings {
  /**
   * Producers whose messages may change what other messages support. A name that ends with `*` stands for all that begin
   * like it; `*` alone, the default, for every producer.
   */
  @IsArray()
  @IsString({ each: true })
  readonly trustedProducers!: readonly string[];

  @IsIn(FACTS_OF)
  readonly factsOf!: FactsOf;

  /** For how many days calls of models are kept; 0: not at all. */
  @IsInt()
  readonly keepCallsDays!: number;

  /** Whether with what the model was shown and replied. */
  @IsBoolean()
  readonly keepCallTexts!: boolean;
}

export class UpdateSemanticSettingsRequest extends SemanticWriteRequest {
  /** Absent = unchanged. */
  @IsOptional()
  @IsArray()
  @ArrayMaxSize(MAX_TRUSTED_PRODUCERS)
  @IsString({ each: true })
  readonly trustedProducers?: readonly string[] | undefined;

  /** Absent = unchanged. What is known keeps its subjects, or stays without. */
  @IsOptional()
  @IsIn(FACTS_OF)
  readonly factsOf?: FactsOf | undefined;

  /** Absent = unchanged. Counts for calls that are kept already, too. */
  @IsOptional()
  @IsInt()
  @Min(0)
  @Max(MAX_KEEP_CALLS_DAYS)
  readonly keepCallsDays?: number | undefined;

  /** Absent = unchanged. `false` removes the texts of calls that are kept already. */
  @IsOptional()
  @IsBoolean()
  readonly keepCallTexts?: boolean | undefined;
}

/** Errors: `project_not_found`. */
export const getSemanticSettings = operation('semantic', 'settings.get', {
  request: SemanticRequest,
  response: SemanticSettings,
});

/**
 * Counts for every message that is ingested after the answer; features keep the trust that they have. Errors:
 * `project_not_found`; `producer_not_allowed` for a key that is bound to a producer.
 */
export const updateSemanticSettings = operation('semantic', 'settings.update', {
  request: UpdateSemanticSettingsRequest,
  response: Done,
});
