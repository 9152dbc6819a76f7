import { Type } from 'class-transformer';
import {
  IsBoolean,
  IsIn,
  IsInt,
  IsNumber,
  IsOptional,
  IsString,
  IsUUID,
  Matches,
  ValidateNested,
} from 'class-validator';
import { INSTANT, type Instant } from '../instant.js';
import { operation } from '../operation.js';
import { SemanticRequest } from '../semantic/semantic-request.contract.js';
import { IngestionPageRequest } from './ingestion-job.contract.js';

/** What ingestion asks models for: to learn from messages, or to merge features that have piled up. */
export const MODEL_CALL_KINDS = ['extraction', 'consolidation'] as const;

export const MODEL_CALL_OUTCOMES = ['succeeded', 'failed'] as const;

/** What a call did to a feature. */
export const MODEL_CALL_ACTIONS = ['add', 'update', 'remove'] as const;

/** For how many days a project may keep the calls of models. */
export const MAX_KEEP_CALLS_DAYS = 90;

/** A call of a language model, its repair included. */
export class ModelCall {
  @IsUUID()
  readonly id!: string;

  @IsString()
  readonly setId!: string;

  @IsIn(MODEL_CALL_KINDS)
  readonly kind!: (typeof MODEL_CALL_KINDS)[number];

  /** All that it looked for. */
  @IsString({ each: true })
  readonly categories!: readonly string[];

  @IsString()
  readonly model!: string;

  /** Why it failed, as a stable slug and in a sentence; absent when it did not. */
  @IsOptional()
  @IsString()
  readonly code?: string | undefined;

  @IsOptional()
  @IsString()
  readonly reason?: string | undefined;

  /** Of the provider: two where the first had to be repaired. */
  @IsInt()
  readonly replies!: number;

  @IsInt()
  readonly inputTokens!: number;

  @IsInt()
  readonly outputTokens!: number;

  /** Absent for a model without prices. */
  @IsOptional()
  @IsNumber()
  readonly cost?: number | undefined;

  @IsInt()
  readonly durationMs!: number;

  /** How many it learned from. */
  @IsInt()
  readonly messages!: number;

  /** How many it made, changed or took away. */
  @IsInt()
  readonly features!: number;

  @Matches(INSTANT)
  readonly begunAt!: Instant;
}

export class PromptMessage {
  @IsIn(['system', 'user', 'assistant'])
  readonly role!: 'system' | 'user' | 'assistant';

  @IsString()
  readonly content!: string;
}

export class MadeFeature {
  @IsUUID()
  readonly featureId!: string;

  @IsString()
  readonly category!: string;

  @IsIn(MODEL_CALL_ACTIONS)
  readonly action!: (typeof MODEL_CALL_ACTIONS)[number];
}

export class ModelCallDetails extends ModelCall {
  /** The messages that it learned from. */
  @IsString({ each: true })
  readonly episodeIds!: readonly string[];

  @ValidateNested({ each: true })
  @Type(() => MadeFeature)
  readonly made!: readonly MadeFeature[];

  /** Absent where the project keeps no texts. */
  @IsOptional()
  @ValidateNested({ each: true })
  @Type(() => PromptMessage)
  readonly prompt?: readonly PromptMessage[] | undefined;

  /** The last one; absent when none came, too. */
  @IsOptional()
  @IsString()
  readonly reply?: string | undefined;

  /** Whether the texts are longer than what is kept of them. */
  @IsBoolean()
  readonly isCut!: boolean;

  /** Until when it is kept. */
  @Matches(INSTANT)
  readonly expiresAt!: Instant;
}

export class ListModelCallsRequest extends IngestionPageRequest {
  /** Absent = of any. */
  @IsOptional()
  @IsString()
  readonly setId?: string | undefined;

  /** Absent = any. */
  @IsOptional()
  @IsIn(MODEL_CALL_OUTCOMES)
  readonly outcome?: (typeof MODEL_CALL_OUTCOMES)[number] | undefined;

  /** Those that began then or later; absent = any. */
  @IsOptional()
  @Matches(INSTANT)
  readonly since?: Instant | undefined;

  /** Those that began earlier; absent = any. */
  @IsOptional()
  @Matches(INSTANT)
  readonly until?: Instant | undefined;
}

export class ModelCallList {
  @ValidateNested({ each: true })
  @Type(() => ModelCall)
  readonly calls!: readonly ModelCall[];

  /** How many there are on all pages together. */
  @IsInt()
  readonly total!: number;
}

export class GetModelCallRequest extends SemanticRequest {
  @IsString()
  readonly id!: string;
}

/** Newest first. A missing project has none. */
export const listModelCalls = operation('semantic', 'model-call.list', {
  request: ListModelCallsRequest,
  response: ModelCallList,
});

/** Errors: `model_call_not_found`. */
export const getModelCall = operation('semantic', 'model-call.get', {
  request: GetModelCallRequest,
  response: ModelCallDetails,
});
