import { Type } from 'class-transformer';
import { IsBoolean, IsIn, IsInt, IsOptional, IsString, Matches, Min, ValidateNested } from 'class-validator';
import { INSTANT, type Instant } from '../instant.js';
import { operation } from '../operation.js';
import { SemanticRequest } from '../semantic/semantic-request.contract.js';

export const INGESTION_STATES = ['idle', 'due', 'running', 'retrying', 'blocked'] as const;
export type IngestionState = (typeof INGESTION_STATES)[number];

/** One page of what belongs to a project, or to its organization as a whole. */
export class IngestionPageRequest extends SemanticRequest {
  @IsInt()
  @Min(0)
  readonly pageSize!: number;

  /** Zero-based. */
  @IsInt()
  @Min(0)
  readonly pageNum!: number;
}

export class ListIngestionJobsRequest extends IngestionPageRequest {
  /** Leaves out sets in which nothing waits. */
  @IsBoolean()
  readonly waitingOnly!: boolean;

  /** Absent = any. */
  @IsOptional()
  @IsIn(INGESTION_STATES)
  readonly state?: IngestionState | undefined;
}

/** A category that failed, and is tried again. */
export class FailingCategory {
  @IsString()
  readonly category!: string;

  /** In a row. */
  @IsInt()
  readonly failures!: number;

  @IsString()
  readonly code!: string;

  @IsString()
  readonly reason!: string;

  @Matches(INSTANT)
  readonly nextAttemptAt!: Instant;
}

/** The ingestion of one set. */
export class IngestionJob {
  @IsString()
  readonly setId!: string;

  @IsBoolean()
  readonly isOrgLevel!: boolean;

  @IsIn(INGESTION_STATES)
  readonly state!: IngestionState;

  /** Messages that some category of the set is not through with. */
  @IsInt()
  readonly waiting!: number;

  /** When the oldest of them that belongs to the project was added; absent when none of its own waits. */
  @IsOptional()
  @Matches(INSTANT)
  readonly oldestAt?: Instant | undefined;

  /** How often the set was taken up. */
  @IsInt()
  readonly attempts!: number;

  /** While it is worked on: when another worker takes over, unless this one renews its lease before. */
  @IsOptional()
  @Matches(INSTANT)
  readonly leaseUntil?: Instant | undefined;

  /** When it goes on at the latest; absent when nothing waits, and while it is worked on. */
  @IsOptional()
  @Matches(INSTANT)
  readonly nextAttemptAt?: Instant | undefined;

  /** Why the waiting messages are not ingested yet, as a stable slug and in a sentence; absent when none waits. */
  @IsOptional()
  @IsString()
  readonly code?: string | undefined;

  @IsOptional()
  @IsString()
  readonly reason?: string | undefined;

  @ValidateNested({ each: true })
  @Type(() => FailingCategory)
  readonly failing!: readonly FailingCategory[];

  @IsInt()
  readonly deadLetters!: number;

  @Matches(INSTANT)
  readonly changedAt!: Instant;
}

export class IngestionJobList {
  @ValidateNested({ each: true })
  @Type(() => IngestionJob)
  readonly jobs!: readonly IngestionJob[];

  /** How many there are on all pages together. */
  @IsInt()
  readonly total!: number;
}

/** By set id. A missing project has only what belongs to its organization, if the caller may see that. */
export const listIngestionJobs = operation('semantic', 'ingestion-job.list', {
  request: ListIngestionJobsRequest,
  response: IngestionJobList,
});
