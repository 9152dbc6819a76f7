import { Type } from 'class-transformer';
import {
  ArrayMaxSize,
  ArrayMinSize,
  IsArray,
  IsBoolean,
  IsIn,
  IsInt,
  IsOptional,
  IsString,
  IsUUID,
  Max,
  Min,
  ValidateNested,
} from 'class-validator';
import { operation } from '../operation.js';
import { Done } from '../projects/project.contract.js';
import { CHANGE_ACTIONS, type ChangeAction, ChangeSource } from './feature-history.contract.js';
import { SemanticRequest, SemanticWriteRequest } from './semantic-request.contract.js';

/** Changes on one page: each may name a few hundred features. */
export const MAX_CHANGES_PER_PAGE = 100;

/** Changes that one request takes back. */
export const MAX_CHANGES_PER_UNDO = 20;

export class ListSetChangesRequest extends SemanticRequest {
  @IsString()
  readonly setId!: string;

  @IsInt()
  @Min(1)
  @Max(MAX_CHANGES_PER_PAGE)
  readonly pageSize!: number;

  @IsInt()
  @Min(0)
  readonly pageNum!: number;

  /** The change behind which the pages begin; absent = the newest. */
  @IsOptional()
  @IsUUID()
  readonly behind?: string | undefined;
}

export class ChangedFeature {
  @IsString()
  readonly featureId!: string;

  @IsIn(CHANGE_ACTIONS)
  readonly action!: ChangeAction;
}

/** All that was changed at once in a set. */
export class SetChange extends ChangeSource {
  /** In the sequence in which they were changed. */
  @ValidateNested({ each: true })
  @Type(() => ChangedFeature)
  readonly features!: readonly ChangedFeature[];
}

export class SetChangeList {
  @ValidateNested({ each: true })
  @Type(() => SetChange)
  readonly changes!: readonly SetChange[];

  /** Absent where they are too many to be counted, and where the pages begin behind a change. */
  @IsOptional()
  @IsInt()
  readonly total?: number | undefined;
}

export class UndoChangesRequest extends SemanticWriteRequest {
  @IsString()
  readonly setId!: string;

  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(MAX_CHANGES_PER_UNDO)
  @IsString({ each: true })
  readonly changeIds!: readonly string[];

  /** Whether nothing is undone where a later change would go with it. Default false. */
  @IsOptional()
  @IsBoolean()
  readonly unlessChanged?: boolean | undefined;
}

/** Newest first. Errors: `set_not_found`. */
export const listSetChanges = operation('semantic', 'change.list', {
  request: ListSetChangesRequest,
  response: SetChangeList,
});

/**
 * Puts every feature of these changes back to what it was before them, all or none. Errors: `set_not_found`,
 * `change_not_found`, `category_not_found`, `changed_since`.
 */
export const undoChanges = operation('semantic', 'change.undo', {
  request: UndoChangesRequest,
  response: Done,
});
