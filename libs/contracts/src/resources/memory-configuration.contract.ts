import { Type } from 'class-transformer';
import { IsBoolean, IsIn, IsInt, IsObject, IsOptional, IsString, Min, ValidateNested } from 'class-validator';

/** Defaults for episodic long-term memory; names of stores are kept for clients and decide nothing. */
export class LongTermMemoryConfiguration {
  @IsBoolean()
  readonly enabled!: boolean;

  @IsIn(['declarative', 'event'])
  readonly backend!: 'declarative' | 'event';

  /** Name of a registered embedder. */
  @IsString()
  readonly embedder!: string;

  /** Name of a registered reranker. */
  @IsString()
  readonly reranker!: string;

  @IsString()
  readonly vectorGraphStore!: string;

  @IsString()
  readonly vectorStore!: string;

  @IsString()
  readonly segmentStore!: string;

  @IsObject()
  readonly propertiesSchema!: Readonly<Record<string, string>>;
}

export class ShortTermMemoryConfiguration {
  @IsBoolean()
  readonly enabled!: boolean;

  /** Name of the registered language model that writes summaries; none: a sliding window without a summary. */
  @IsOptional()
  @IsString()
  readonly llmModel?: string | undefined;

  /** Characters that fit into the window of a project, its summary included. */
  @IsInt()
  @Min(1)
  readonly messageCapacity!: number;
}

export class EpisodicMemoryConfiguration {
  @IsBoolean()
  readonly enabled!: boolean;

  @ValidateNested()
  @Type(() => LongTermMemoryConfiguration)
  readonly longTerm!: LongTermMemoryConfiguration;

  @ValidateNested()
  @Type(() => ShortTermMemoryConfiguration)
  readonly shortTerm!: ShortTermMemoryConfiguration;
}

export class SemanticMemoryConfiguration {
  @IsBoolean()
  readonly enabled!: boolean;

  /** Name of the registered language model that extracts features; none: messages wait. */
  @IsOptional()
  @IsString()
  readonly llmModel?: string | undefined;

  /** Name of the registered embedder of features. */
  @IsString()
  readonly embeddingModel!: string;

  @IsInt()
  @Min(1)
  readonly ingestionTriggerMessages!: number;

  @IsInt()
  @Min(1)
  readonly ingestionTriggerAgeSeconds!: number;

  @IsOptional()
  @IsString()
  readonly database?: string | undefined;

  @IsOptional()
  @IsString()
  readonly storageBackend?: string | undefined;

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

/** How the memory of this deployment works, where a project or a set says nothing else. */
export class MemoryConfiguration {
  @ValidateNested()
  @Type(() => EpisodicMemoryConfiguration)
  readonly episodic!: EpisodicMemoryConfiguration;

  @ValidateNested()
  @Type(() => SemanticMemoryConfiguration)
  readonly semantic!: SemanticMemoryConfiguration;
}
