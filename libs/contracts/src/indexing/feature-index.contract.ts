import { Type } from 'class-transformer';
import { IsArray, IsIn, IsInt, IsOptional, IsString, ValidateNested } from 'class-validator';
import { operation } from '../operation.js';
import { SemanticRequest } from '../semantic/semantic-request.contract.js';
import { INDEX_STATES, type IndexState, IndexVersionProgress } from './project-index.contract.js';

/** The vectors of sets by one embedder. */
export class SetIndexVersionsProgress extends IndexVersionProgress {
  /** How many sets have vectors by it. */
  @IsInt()
  readonly sets!: number;
}

/** Of the sets of a project, and of those of its organization. */
export class FeatureIndex {
  /** As in `ProjectIndex`, of features. Each set moves on its own. */
  @IsIn(INDEX_STATES)
  readonly state!: IndexState;

  /** Name of the embedder that sets should use that name none. */
  @IsString()
  readonly embedder!: string;

  @IsInt()
  readonly features!: number;

  /** What searches use. */
  @IsArray()
  @ValidateNested({ each: true })
  @Type(() => SetIndexVersionsProgress)
  readonly active!: readonly SetIndexVersionsProgress[];

  /** What sets move to. */
  @IsArray()
  @ValidateNested({ each: true })
  @Type(() => SetIndexVersionsProgress)
  readonly target!: readonly SetIndexVersionsProgress[];

  /** Why it does not get on; what to do about it. */
  @IsOptional()
  @IsString()
  readonly problem?: string | undefined;
}

/** How far the vectors of features are. A missing project has those of its organization, if the caller may see them. */
export const getFeatureIndex = operation('semantic', 'index.get', {
  request: SemanticRequest,
  response: FeatureIndex,
});
