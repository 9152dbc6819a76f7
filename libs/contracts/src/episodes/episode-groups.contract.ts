import { Type } from 'class-transformer';
import { IsIn, IsInt, IsObject, IsOptional, IsString, Matches, ValidateNested } from 'class-validator';
import { type Filter } from '../filters/filter.js';
import { INSTANT, type Instant } from '../instant.js';
import { operation } from '../operation.js';
import { ProjectRequest } from '../projects/project.contract.js';
import { RowPosition } from '../row-position.contract.js';

/** What messages are counted by. */
export const EPISODE_GROUPINGS = ['user', 'session', 'producer'] as const;
export type EpisodeGrouping = (typeof EPISODE_GROUPINGS)[number];

/** The messages that one page looks through: what it costs, whatever there is. */
export const EPISODES_PER_GROUPS_PAGE = 5_000;

export class GroupEpisodesRequest extends ProjectRequest {
  @IsIn(EPISODE_GROUPINGS)
  readonly by!: EpisodeGrouping;

  @IsOptional()
  @IsObject()
  readonly filter?: Filter | undefined;

  /** Only messages that come before it; absent = from the newest. */
  @IsOptional()
  @ValidateNested()
  @Type(() => RowPosition)
  readonly before?: RowPosition | undefined;
}

export class EpisodeGroup {
  /** Empty: of none, or of one whose name is longer than `MAX_NAME_BYTES`. */
  @IsString()
  readonly name!: string;

  @IsInt()
  readonly episodes!: number;

  @Matches(INSTANT)
  readonly firstAt!: Instant;

  @Matches(INSTANT)
  readonly lastAt!: Instant;
}

export class EpisodeGroups {
  /** Those with the latest message first. */
  @ValidateNested({ each: true })
  @Type(() => EpisodeGroup)
  readonly groups!: readonly EpisodeGroup[];

  /** The `before` of the next page; absent on the last. */
  @IsOptional()
  @ValidateNested()
  @Type(() => RowPosition)
  readonly next?: RowPosition | undefined;
}

/**
 * Counts messages from the newest back, a stretch at a time: a group may be on more than one page, and then its counts add
 * up. A missing project has none.
 */
export const groupEpisodes = operation('episodic', 'episode.group', {
  request: GroupEpisodesRequest,
  response: EpisodeGroups,
});
