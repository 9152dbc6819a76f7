import { Type } from 'class-transformer';
import { IsIn, IsInt, IsOptional, IsString, ValidateNested } from 'class-validator';
import { operation } from '../operation.js';
import { ProjectRequest } from '../projects/project.contract.js';

export const INDEX_STATES = ['ready', 'indexing', 'moving', 'waiting'] as const;
export type IndexState = (typeof INDEX_STATES)[number];

/** Vectors by one embedder. */
export class IndexVersionProgress {
  /** Its name in the registry. */
  @IsString()
  readonly embedder!: string;

  @IsString()
  readonly fingerprint!: string;

  @IsInt()
  readonly dimensions!: number;

  /** Episodes, or features, that have a vector there. */
  @IsInt()
  readonly indexed!: number;
}

export class ProjectIndex {
  /**
   * - `ready`: every episode is in the vectors that searches use;
   * - `indexing`: some are not yet, and are searched by their words;
   * - `moving`: to another embedder; searches use the former one;
   * - `waiting`: for an embedder that is not ready.
   */
  @IsIn(INDEX_STATES)
  readonly state!: IndexState;

  /** Name of the embedder that the project should use. */
  @IsString()
  readonly embedder!: string;

  /** Episodes in long-term memory. */
  @IsInt()
  readonly episodes!: number;

  /** What searches use; absent before the first episode was indexed. */
  @IsOptional()
  @ValidateNested()
  @Type(() => IndexVersionProgress)
  readonly active?: IndexVersionProgress | undefined;

  /** What the project moves to. */
  @IsOptional()
  @ValidateNested()
  @Type(() => IndexVersionProgress)
  readonly target?: IndexVersionProgress | undefined;

  /** Why it does not get on; what to do about it. */
  @IsOptional()
  @IsString()
  readonly problem?: string | undefined;

  /** Languages of its newest episodes that the embedder was not trained on, as ISO 639-1, sorted. */
  @IsOptional()
  @IsString({ each: true })
  readonly unsupportedLanguages?: readonly string[] | undefined;
}

/** How far the vectors of a project are. Errors: `project_not_found`. */
export const getProjectIndex = operation('episodic', 'index.get', {
  request: ProjectRequest,
  response: ProjectIndex,
});
