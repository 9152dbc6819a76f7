import { Type } from 'class-transformer';
import { IsInt, IsOptional, IsUUID, Matches, Max, Min, ValidateNested } from 'class-validator';
import { INSTANT, type Instant } from '../instant.js';
import { operation } from '../operation.js';
import { ProjectReference } from '../projects/project.contract.js';

/** A position in the sequence in which episodes were added. */
export class AdditionPosition {
  @Matches(INSTANT)
  readonly addedAt!: Instant;

  @IsUUID()
  readonly uid!: string;
}

export class FollowEpisodesRequest {
  /** Absent = from the first episode on. */
  @IsOptional()
  @ValidateNested()
  @Type(() => AdditionPosition)
  readonly after?: AdditionPosition | undefined;

  /** Younger ones are left for later. */
  @IsInt()
  @Min(0)
  readonly olderThanMs!: number;

  @IsInt()
  @Min(1)
  @Max(1_000)
  readonly limit!: number;
}

export class FollowedEpisode extends AdditionPosition {
  @ValidateNested()
  @Type(() => ProjectReference)
  readonly project!: ProjectReference;
}

export class FollowedEpisodes {
  /** Oldest addition first. */
  @ValidateNested({ each: true })
  @Type(() => FollowedEpisode)
  readonly episodes!: readonly FollowedEpisode[];
}

/**
 * The episodes for semantic memory, of all projects, sorted by the time of adding: for a service that may have missed an event.
 * None comes into being behind a position that was once given out.
 */
export const followEpisodes = operation('episodic', 'episode.follow', {
  request: FollowEpisodesRequest,
  response: FollowedEpisodes,
});
