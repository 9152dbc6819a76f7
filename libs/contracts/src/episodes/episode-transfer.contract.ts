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
  Length,
  Matches,
  ValidateNested,
} from 'class-validator';
import { INSTANT, type Instant } from '../instant.js';
import { operation } from '../operation.js';
import { ProjectRequest } from '../projects/project.contract.js';
import { RowPosition } from '../row-position.contract.js';
import { IngestedSet } from '../set-name.contract.js';
import { Tenant } from '../tenant.js';
import { Episode, EpisodeFacts } from './episode-facts.contract.js';
import { MEMORY_TYPES, type MemoryType } from './episode.contract.js';
import { SaidMessage } from './said-message.contract.js';

/** The most episodes that one import may carry between services. */
export const MAX_EPISODES_PER_IMPORT = 500;

export const SOURCE_UID_MAX_LENGTH = 255;

export class ExportedEpisode extends Episode {
  /** Which memories it feeds; none when all of them were switched off. */
  @IsArray()
  @IsIn(MEMORY_TYPES, { each: true })
  readonly types!: readonly MemoryType[];

  /** What the import said of it, if it was imported; semantic memory may know better by now. */
  @IsOptional()
  @ValidateNested({ each: true })
  @Type(() => IngestedSet)
  readonly ingested?: readonly IngestedSet[] | undefined;
}

export class ExportEpisodesRequest {
  @ValidateNested()
  @Type(() => Tenant)
  readonly tenant!: Tenant;

  /** Absent = from the beginning. */
  @IsOptional()
  @ValidateNested()
  @Type(() => RowPosition)
  readonly after?: RowPosition | undefined;
}

export class ExportedEpisodes {
  /** As many as fit into a message; none at the end. */
  @ValidateNested({ each: true })
  @Type(() => ExportedEpisode)
  readonly episodes!: readonly ExportedEpisode[];
}

export class ImportedEpisode extends SaidMessage {
  /** What it is called where it comes from. */
  @IsString()
  @Length(1, SOURCE_UID_MAX_LENGTH)
  readonly sourceUid!: string;

  /** As in `EpisodeFacts`; one whose importer is bound is bound whatever this says. */
  @IsOptional()
  @IsBoolean()
  readonly isBound?: boolean | undefined;

  /** Absent = never, unless the project says how long its episodes live. */
  @IsOptional()
  @Matches(INSTANT)
  readonly expiresAt?: Instant | undefined;

  @IsArray()
  @IsIn(MEMORY_TYPES, { each: true })
  readonly types!: readonly MemoryType[];

  /** The sets that already contain what can be learned from it; absent = none. */
  @IsOptional()
  @IsArray()
  @ValidateNested({ each: true })
  @Type(() => IngestedSet)
  readonly ingested?: readonly IngestedSet[] | undefined;
}

export class ImportEpisodesRequest {
  @ValidateNested()
  @Type(() => Tenant)
  readonly tenant!: Tenant;

  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(MAX_EPISODES_PER_IMPORT)
  @ValidateNested({ each: true })
  @Type(() => ImportedEpisode)
  readonly episodes!: readonly ImportedEpisode[];
}

export class ImportedEpisodes {
  /** How many were not there yet. */
  @IsInt()
  readonly added!: number;
}

export class LocateEpisodesRequest extends ProjectRequest {
  @IsArray()
  @ArrayMaxSize(MAX_EPISODES_PER_IMPORT)
  @IsString({ each: true })
  readonly sourceUids!: readonly string[];
}

export class LocatedEpisode extends EpisodeFacts {
  /** What it was asked for by. */
  @IsString()
  readonly sourceUid!: string;

  /** As in `DescribedEpisode`. */
  @Matches(INSTANT)
  readonly addedAt!: Instant;
}

export class LocatedEpisodes {
  /** In no particular order. */
  @ValidateNested({ each: true })
  @Type(() => LocatedEpisode)
  readonly episodes!: readonly LocatedEpisode[];
}

/** Those of the episodes that are here, under their own uid or one that they were given on import. */
export const locateEpisodes = operation('episodic', 'episode.locate', {
  request: LocateEpisodesRequest,
  response: LocatedEpisodes,
});

/**
 * The next episodes sorted by `createdAt`, then uid. Errors: `project_not_found`.
 *
 * Episodes never change, so paging through them shows each that was there at the beginning and is not deleted meanwhile
 * exactly once.
 */
export const exportEpisodes = operation('episodic', 'episode.export', {
  request: ExportEpisodesRequest,
  response: ExportedEpisodes,
});

/**
 * Stores the episodes that the project does not have yet, all or none. One that came from this very project keeps its
 * uid; any other gets one that depends on the project and its source uid alone, so importing it again adds nothing.
 * The project is created when it is missing. Errors: `project_being_deleted`.
 */
export const importEpisodes = operation('episodic', 'episode.import', {
  request: ImportEpisodesRequest,
  response: ImportedEpisodes,
});
