import { Type } from 'class-transformer';
import {
  ArrayMaxSize,
  ArrayMinSize,
  IsArray,
  IsBoolean,
  IsIn,
  IsInt,
  IsNumber,
  IsObject,
  IsOptional,
  IsString,
  IsUUID,
  Matches,
  Max,
  Min,
  ValidateNested,
} from 'class-validator';
import { type Filter } from '../filters/filter.js';
import { IdempotencyToken } from '../idempotency.js';
import { INSTANT, type Instant } from '../instant.js';
import { event, work } from '../message.js';
import { operation } from '../operation.js';
import { ConfiguredProject, Done, ProjectReference, ProjectRequest } from '../projects/project.contract.js';
import { PageByPosition, RowPosition } from '../row-position.contract.js';
import { Tenant } from '../tenant.js';
import { Episode } from './episode-facts.contract.js';
import { CutCandidate, Explanation } from './explanation.contract.js';
import { SaidMessage } from './said-message.contract.js';

export const MEMORY_TYPES = ['episodic', 'semantic'] as const;
export type MemoryType = (typeof MEMORY_TYPES)[number];

/** The most messages that one add may carry between services. The gateway's own limit is lower or equal. */
export const MAX_MESSAGES_PER_ADD = 10_000;

/** 63 years: what a column of seconds holds. */
export const MAX_TTL_SECONDS = 2_000_000_000;

export class NewEpisode extends SaidMessage {
  /** How long it lives from when it is added, at most as long as its project lets it; absent = as long as that. */
  @IsOptional()
  @IsInt()
  @Min(1)
  @Max(MAX_TTL_SECONDS)
  readonly ttlSeconds?: number | undefined;
}

export class AddEpisodesRequest {
  @ValidateNested()
  @Type(() => Tenant)
  readonly tenant!: Tenant;

  /** Which memories the episodes feed. */
  @IsArray()
  @ArrayMinSize(1)
  @IsIn(MEMORY_TYPES, { each: true })
  readonly types!: readonly MemoryType[];

  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(MAX_MESSAGES_PER_ADD)
  @ValidateNested({ each: true })
  @Type(() => NewEpisode)
  readonly episodes!: readonly NewEpisode[];

  @IsOptional()
  @ValidateNested()
  @Type(() => IdempotencyToken)
  readonly idempotency?: IdempotencyToken | undefined;
}

export class AddedEpisodes {
  /** In the sequence of the request. */
  @IsString({ each: true })
  readonly uids!: readonly string[];

  /** A language of the messages that the embedder of the project was not trained on, as ISO 639-1. */
  @IsOptional()
  @IsString()
  readonly unsupportedLanguage?: string | undefined;
}

export class FoundEpisode extends Episode {
  /** Higher is better; between 0 and 1 for the built-in ranking, and the same for a hit and the context it brings in. */
  @IsNumber()
  readonly score!: number;

  /** What the score is made of; when asked for. */
  @IsOptional()
  @ValidateNested()
  @Type(() => Explanation)
  readonly explanation?: Explanation | undefined;
}

export class SearchEpisodesRequest {
  @ValidateNested()
  @Type(() => Tenant)
  readonly tenant!: Tenant;

  @IsString()
  readonly query!: string;

  @IsInt()
  @Min(1)
  readonly topK!: number;

  @IsOptional()
  @IsObject()
  readonly filter?: Filter | undefined;

  /** Neighbours that each long-term hit brings in; they count towards `topK`. */
  @IsInt()
  @Min(0)
  readonly expandContext!: number;

  @IsOptional()
  @IsNumber()
  readonly scoreThreshold?: number | undefined;

  /** What "last week" in the query is relative to; absent = now. */
  @IsOptional()
  @Matches(INSTANT)
  readonly referenceTime?: Instant | undefined;

  /** How much long-term hits of one moment stand back for those of others; absent = 0, not at all. */
  @IsOptional()
  @IsNumber()
  @Min(0)
  @Max(1)
  readonly diversity?: number | undefined;

  /** Says what each score is made of, and what was cut. Absent = no. */
  @IsOptional()
  @IsBoolean()
  readonly explain?: boolean | undefined;

  /** Whether long-term hits may be what short-term memory shows, too, so that each has a score. Absent = no. */
  @IsOptional()
  @IsBoolean()
  readonly rankShortTerm?: boolean | undefined;
}

export class SearchEpisodesResponse {
  /** False when episodic memory is switched off for the project: the answer has no episodic part then. */
  @IsBoolean()
  readonly enabled!: boolean;

  /** Best first. */
  @ValidateNested({ each: true })
  @Type(() => FoundEpisode)
  readonly longTerm!: readonly FoundEpisode[];

  /** The best candidates that are not among the long-term hits, best first; when asked for. */
  @IsOptional()
  @ValidateNested({ each: true })
  @Type(() => CutCandidate)
  readonly cut?: readonly CutCandidate[] | undefined;

  /** Oldest first. */
  @ValidateNested({ each: true })
  @Type(() => Episode)
  readonly shortTerm!: readonly Episode[];

  /** The running summary of what fell out of short-term memory; empty when there is none. */
  @IsString()
  readonly summary!: string;

  /** What could not take part in the answer, as stable slugs; empty when all is well. */
  @IsString({ each: true })
  readonly degraded!: readonly string[];

  /** The language of the query when the embedder of the project was not trained on it, as ISO 639-1. */
  @IsOptional()
  @IsString()
  readonly unsupportedLanguage?: string | undefined;
}

export class ListEpisodesRequest {
  @ValidateNested()
  @Type(() => Tenant)
  readonly tenant!: Tenant;

  @IsOptional()
  @IsObject()
  readonly filter?: Filter | undefined;

  @IsInt()
  @Min(0)
  readonly pageSize!: number;

  /** Zero-based. */
  @IsInt()
  @Min(0)
  readonly pageNum!: number;

  /** Instead of `pageNum`. */
  @IsOptional()
  @ValidateNested()
  @Type(() => PageByPosition)
  readonly byPosition?: PageByPosition | undefined;
}

export class ListEpisodesResponse {
  @ValidateNested({ each: true })
  @Type(() => Episode)
  readonly episodes!: readonly Episode[];

  /** How many match on all pages together; absent behind the first page by position, and where counting takes too long. */
  @IsOptional()
  @IsInt()
  readonly total?: number | undefined;

  /** Of a page by position: where the next one begins; absent on the last. */
  @IsOptional()
  @ValidateNested()
  @Type(() => RowPosition)
  readonly next?: RowPosition | undefined;
}

export class RemoveEpisodesRequest {
  @ValidateNested()
  @Type(() => Tenant)
  readonly tenant!: Tenant;

  /** As the client wrote them: one that names no episode of the project is "not found". */
  @IsArray()
  @ArrayMinSize(1)
  @IsString({ each: true })
  readonly uids!: readonly string[];

  @IsOptional()
  @ValidateNested()
  @Type(() => IdempotencyToken)
  readonly idempotency?: IdempotencyToken | undefined;
}

export class RemovedEpisodes {
  @IsString({ each: true })
  readonly deleted!: readonly string[];

  @IsString({ each: true })
  readonly notFound!: readonly string[];
}

export class EpisodeCount {
  @IsInt()
  readonly count!: number;

  /** Whether there may be more than could be counted. */
  @IsOptional()
  @IsBoolean()
  readonly isAtLeast?: boolean | undefined;
}

/** Episodes of one project, as events and work messages name them. */
export class EpisodesReference extends ProjectReference {
  @IsArray()
  @ArrayMinSize(1)
  @IsUUID(undefined, { each: true })
  readonly uids!: readonly string[];
}

export class AddedEpisodesEvent extends EpisodesReference {
  @IsArray()
  @IsIn(MEMORY_TYPES, { each: true })
  readonly types!: readonly MemoryType[];
}

export class DeletedEpisodesEvent extends EpisodesReference {
  /** When the last of them was added: one that was added later, under whichever uid, is not meant. Older versions do not say it. */
  @IsOptional()
  @Matches(INSTANT)
  readonly addedUntil?: Instant | undefined;
}

/** All episodes or none; the project is created when it is missing. Errors: `project_being_deleted`, idempotency. */
export const addEpisodes = operation('episodic', 'episode.add', {
  request: AddEpisodesRequest,
  response: AddedEpisodes,
});

/** A missing project finds nothing. */
export const searchEpisodes = operation('episodic', 'episode.search', {
  request: SearchEpisodesRequest,
  response: SearchEpisodesResponse,
});

/** Sorted by `createdAt`, then `uid`. A missing project lists nothing. */
export const listEpisodes = operation('episodic', 'episode.list', {
  request: ListEpisodesRequest,
  response: ListEpisodesResponse,
});

/** Deletes what it finds and names the rest; an author who is bound to a producer finds what that one said. Errors: `project_not_found`, idempotency. */
export const removeEpisodes = operation('episodic', 'episode.remove', {
  request: RemoveEpisodesRequest,
  response: RemovedEpisodes,
});

/** A missing project counts 0. */
export const countEpisodes = operation('episodic', 'episode.count', {
  request: ProjectRequest,
  response: EpisodeCount,
});

/** From now on the project takes no writes and shows no data in this service. Idempotent. */
export const closeProject = operation('episodic', 'project.close', {
  request: ProjectReference,
  response: Done,
});

/** From now on the project uses these models here, unless it knows a newer choice. Idempotent. */
export const adoptProjectModels = operation('episodic', 'project.adopt_models', {
  request: ConfiguredProject,
  response: Done,
});

export const episodesAdded = event('episodic', 'episodes.added', AddedEpisodesEvent);
export const episodesDeleted = event('episodic', 'episodes.deleted', DeletedEpisodesEvent);

/** The episodic service stores nothing of this project any more. */
export const episodicProjectsErased = event('episodic', 'projects.erased', ProjectReference);

/** Work message: to (re)build the vectors of these episodes: issued by the sweeper, the reconciler, and for what is beyond a share of what was added. */
export const indexEpisodes = work('episodic', 'episodes.index', EpisodesReference);

/** Work message: to bring the summary of a project up to date. */
export const updateSummary = work('episodic', 'summary.update', ProjectReference);

/** Work message: to remove the vectors of these episodes. */
export const purgeEpisodes = work('episodic', 'episodes.purge', EpisodesReference);
