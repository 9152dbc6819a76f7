import { Type } from 'class-transformer';
import { IsArray, IsBoolean, IsOptional, IsString, Matches, ValidateNested } from 'class-validator';
import { INSTANT, type Instant } from '../instant.js';
import { operation } from '../operation.js';
import { ProjectRequest } from '../projects/project.contract.js';
import { IngestedSet } from '../set-name.contract.js';
import { Episode } from './episode-facts.contract.js';

export class DescribeEpisodesRequest extends ProjectRequest {
  /** As a client wrote them: one that names no episode of the project is left out of the answer. */
  @IsArray()
  @IsString({ each: true })
  readonly uids!: readonly string[];

  /** True leaves `content` empty: texts may be large, and an answer of many of them too large to send. */
  @IsOptional()
  @IsBoolean()
  readonly withoutContent?: boolean | undefined;
}

export class DescribedEpisode extends Episode {
  /** An episode that was deleted, and is imported again under the same uid, was added later: it is another one. */
  @Matches(INSTANT)
  readonly addedAt!: Instant;

  /** Of an imported episode: the sets that already contain what can be learned from it. */
  @IsOptional()
  @ValidateNested({ each: true })
  @Type(() => IngestedSet)
  readonly ingested?: readonly IngestedSet[] | undefined;
}

export class DescribedEpisodes {
  /** In no particular order. */
  @ValidateNested({ each: true })
  @Type(() => DescribedEpisode)
  readonly episodes!: readonly DescribedEpisode[];
}

/** Those of the episodes that exist. A missing project has none. Errors: `body_too_large`, where half of them may fit. */
export const describeEpisodes = operation('episodic', 'episode.describe', {
  request: DescribeEpisodesRequest,
  response: DescribedEpisodes,
});
