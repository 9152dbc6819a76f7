import { Type } from 'class-transformer';
import { IsBoolean, IsIn, IsInt, IsObject, IsOptional, IsString, Min, ValidateNested } from 'class-validator';
import { IdempotencyToken } from '../idempotency.js';
import { operation } from '../operation.js';
import { MemoryConfiguration } from './memory-configuration.contract.js';

export const STORAGE_BACKENDS = ['auto', 'pgvector', 'neo4j', 'vector_store'] as const;

/** Absent = unchanged, here and in the other parts. An empty text takes a name back, where there may be none. */
export class LongTermMemoryUpdate {
  @IsOptional()
  @IsBoolean()
  readonly enabled?: boolean | undefined;

  @IsOptional()
  @IsIn(['declarative', 'event'])
  readonly backend?: 'declarative' | 'event' | undefined;

  @IsOptional()
  @IsString()
  readonly embedder?: string | undefined;

  @IsOptional()
  @IsString()
  readonly reranker?: string | undefined;

  @IsOptional()
  @IsString()
  readonly vectorGraphStore?: string | undefined;

  @IsOptional()
  @IsString()
  readonly vectorStore?: string | undefined;

  @IsOptional()
  @IsString()
  readonly segmentStore?: string | undefined;

  @IsOptional()
  @IsObject()
  readonly propertiesSchema?: Readonly<Record<string, string>> | undefined;
}

export class ShortTermMemoryUpdate {
  @IsOptional()
  @IsBoolean()
  readonly enabled?: boolean | undefined;

  @IsOptional()
  @IsString()
  readonly llmModel?: string | undefined;

  @IsOptional()
  @IsInt()
  @Min(1)
  readonly messageCapacity?: number | undefined;
}

export class EpisodicMemoryUpdate {
  @IsOptional()
  @IsBoolean()
  readonly enabled?: boolean | undefined;

  @IsOptional()
  @ValidateNested()
  @Type(() => LongTermMemoryUpdate)
  readonly longTerm?: LongTermMemoryUpdate | undefined;

  @IsOptional()
  @ValidateNested()
  @Type(() => ShortTermMemoryUpdate)
  readonly shortTerm?: ShortTermMemoryUpdate | undefined;
}

export class SemanticMemoryUpdate {
  @IsOptional()
  @IsBoolean()
  readonly enabled?: boolean | undefined;

  @IsOptional()
  @IsString()
  readonly llmModel?: string | undefined;

  @IsOptional()
  @IsString()
  readonly embeddingModel?: string | undefined;

  @IsOptional()
  @IsInt()
  @Min(1)
  readonly ingestionTriggerMessages?: number | undefined;

  @IsOptional()
  @IsInt()
  @Min(1)
  readonly ingestionTriggerAgeSeconds?: number | undefined;

  @IsOptional()
  @IsString()
  readonly database?: string | undefined;

  @IsOptional()
  @IsIn(STORAGE_BACKENDS)
  readonly storageBackend?: (typeof STORAGE_BACKENDS)[number] | undefined;

  @IsOptional()
  @IsString()
  readonly featureStore?: string | undefined;

  @IsOptional()
  @IsString()
  readonly vectorCollection?: string | undefined;

  @IsOptional()
  @IsInt()
  @Min(1)
  readonly vectorDimensions?: number | undefined;
}

/** A change of some fields of the memory configuration. */
export class MemoryConfigurationUpdate {
  @IsOptional()
  @ValidateNested()
  @Type(() => EpisodicMemoryUpdate)
  readonly episodic?: EpisodicMemoryUpdate | undefined;

  @IsOptional()
  @ValidateNested()
  @Type(() => SemanticMemoryUpdate)
  readonly semantic?: SemanticMemoryUpdate | undefined;
}

export class UpdateMemoryConfigurationRequest extends MemoryConfigurationUpdate {
  @IsOptional()
  @ValidateNested()
  @Type(() => IdempotencyToken)
  readonly idempotency?: IdempotencyToken | undefined;
}

export class GetMemoryConfigurationRequest {}

export const getMemoryConfiguration = operation('config', 'memory.get', {
  request: GetMemoryConfigurationRequest,
  response: MemoryConfiguration,
});

/**
 * Changes what is given and leaves the rest; in force everywhere within a second or two. Answers what is in force now.
 * Errors: `producer_not_allowed` for a key that is bound to a producer; `unknown_resource`, each problem with its path in the public wire.
 */
export const updateMemoryConfiguration = operation('config', 'memory.update', {
  request: UpdateMemoryConfigurationRequest,
  response: MemoryConfiguration,
});
