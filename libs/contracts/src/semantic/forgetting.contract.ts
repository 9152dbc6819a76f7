import { ArrayMaxSize, IsInt, IsUUID } from 'class-validator';
import { MAX_LOOKED_UP } from '../episodes/deletion.contract.js';
import { operation } from '../operation.js';
import { ProjectRequest } from '../projects/project.contract.js';

export class LearnedOnlyFromRequest extends ProjectRequest {
  /** Of the project. */
  @ArrayMaxSize(MAX_LOOKED_UP)
  @IsUUID(undefined, { each: true })
  readonly episodeUids!: readonly string[];
}

export class FeatureCount {
  @IsInt()
  readonly count!: number;
}

/** How many features would go with these episodes: those that ingestion learned from no others. A missing project has none. */
export const countLearnedOnlyFrom = operation('semantic', 'feature.learned_only_from', {
  request: LearnedOnlyFromRequest,
  response: FeatureCount,
});
