import { Type } from 'class-transformer';
import { ArrayMaxSize, IsArray, IsInt, IsString, Max, Min, ValidateNested } from 'class-validator';
import { operation } from '../operation.js';
import { ProjectRequest } from '../projects/project.contract.js';
import { DescribedEpisode } from './describe-episodes.contract.js';

export class PrecedingEpisodesRequest extends ProjectRequest {
  /** One that names no episode of the project has none before it. */
  @IsArray()
  @ArrayMaxSize(1_000)
  @IsString({ each: true })
  readonly uids!: readonly string[];

  /** Of each conversation. */
  @IsInt()
  @Min(1)
  @Max(50)
  readonly limit!: number;

  /** Of each content; what is longer is cut there. */
  @IsInt()
  @Min(1)
  @Max(100_000)
  readonly maxChars!: number;
}

export class PrecedingEpisodes {
  /** Oldest first. */
  @ValidateNested({ each: true })
  @Type(() => DescribedEpisode)
  readonly episodes!: readonly DescribedEpisode[];
}

/** What was said last in each conversation of the episodes before the first of them; episodes of long-term memory alone. */
export const precedingEpisodes = operation('episodic', 'episode.preceding', {
  request: PrecedingEpisodesRequest,
  response: PrecedingEpisodes,
});
