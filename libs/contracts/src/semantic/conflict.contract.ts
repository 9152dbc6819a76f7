import { Type } from 'class-transformer';
import {
  ArrayMinSize,
  IsArray,
  IsInt,
  IsOptional,
  IsString,
  Max,
  Min,
  ValidateNested,
} from 'class-validator';
import { operation } from '../operation.js';
import { Feature } from './feature.contract.js';
import { SemanticRequest, SemanticWriteRequest } from './semantic-request.contract.js';

/** Conflicts on one page: each has a few features, with values that may be long. */
export const MAX_CONFLICTS_PER_PAGE = 100;

/** Features of one name that contradict each other. */
export class Conflict {
  /** Two at least, 20 at most, oldest first. */
  @ValidateNested({ each: true })
  @Type(() => Feature)
  readonly features!: readonly Feature[];
}

export class ListConflictsRequest extends SemanticRequest {
  /** Absent = of all sets. */
  @IsOptional()
  @IsString()
  readonly setId?: string | undefined;

  /** Only of features about this one; absent = about anybody. */
  @IsOptional()
  @IsString()
  readonly subject?: string | undefined;

  @IsInt()
  @Min(1)
  @Max(MAX_CONFLICTS_PER_PAGE)
  readonly pageSize!: number;

  /** Zero-based. */
  @IsInt()
  @Min(0)
  readonly pageNum!: number;
}

export class ConflictList {
  @ValidateNested({ each: true })
  @Type(() => Conflict)
  readonly conflicts!: readonly Conflict[];

  @IsInt()
  readonly total!: number;
}

export class SettleConflictRequest extends SemanticWriteRequest {
  /** The feature that holds. */
  @IsString()
  readonly featureId!: string;

  /** Those that end; absent = all that contradict it. */
  @IsOptional()
  @IsArray()
  @ArrayMinSize(1)
  @IsString({ each: true })
  readonly otherIds?: readonly string[] | undefined;
}

export class ConflictSettled {
  /** How many ended; a former version does not say. */
  @IsOptional()
  @IsInt()
  readonly ended?: number | undefined;

  /** How many contradict the one that holds still: at least so many, if with those that ended it is MAX_CONTRADICTING_COUNTED. */
  @IsOptional()
  @IsInt()
  readonly left?: number | undefined;
}

/** As many are looked at in a settlement. */
export const MAX_CONTRADICTING_COUNTED = 2_000;

/** By the time at which the first of their features was made. A missing project has none. Errors: `set_not_found`, `unknown_subject`. */
export const listConflicts = operation('semantic', 'conflict.list', {
  request: ListConflictsRequest,
  response: ConflictList,
});

/** Keeps one feature; the others end as what it superseded. Errors: `feature_not_found`, `conflict_not_found`. */
export const settleConflict = operation('semantic', 'conflict.settle', {
  request: SettleConflictRequest,
  response: ConflictSettled,
});
