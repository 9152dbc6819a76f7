import { Type } from 'class-transformer';
import {
  IsIn,
  IsInt,
  IsNotEmptyObject,
  IsObject,
  IsOptional,
  IsString,
  IsUUID,
  Matches,
  ValidateNested,
} from 'class-validator';
import { type Filter } from '../filters/filter.js';
import { IdempotencyToken } from '../idempotency.js';
import { INSTANT, type Instant } from '../instant.js';
import { operation } from '../operation.js';
import { ProjectRequest } from '../projects/project.contract.js';
import { EpisodeCount } from './episode.contract.js';

/** `deleting`: episodes are being deleted; `purging`: none is left, and the last vectors are being removed. */
export const DELETION_STATES = ['deleting', 'purging', 'done'] as const;
export type DeletionState = (typeof DELETION_STATES)[number];

/** The episodes of a project that match a filter. */
export class MatchingEpisodesRequest extends ProjectRequest {
  @IsObject()
  @IsNotEmptyObject()
  readonly filter!: Filter;
}

/** Of so many episodes at most it is looked up what was learned from them. */
export const MAX_LOOKED_UP = 1_000;

/** What a deletion would delete. */
export class DeletionPreview extends EpisodeCount {
  /** All of them; absent when there are more than `MAX_LOOKED_UP`. */
  @IsOptional()
  @IsUUID(undefined, { each: true })
  readonly uids?: readonly string[] | undefined;
}

export class StartDeletionRequest extends MatchingEpisodesRequest {
  /** Nothing is deleted when another number matches. */
  @IsOptional()
  @IsInt()
  readonly expectedMatching?: number | undefined;

  @IsOptional()
  @ValidateNested()
  @Type(() => IdempotencyToken)
  readonly idempotency?: IdempotencyToken | undefined;
}

export class GetDeletionRequest extends ProjectRequest {
  /** As the client wrote it. */
  @IsString()
  readonly id!: string;
}

/** The deletion of all episodes that match a filter, as a job. */
export class Deletion {
  @IsString()
  readonly id!: string;

  @IsIn(DELETION_STATES)
  readonly state!: DeletionState;

  /** Episodes that matched when it was requested, as many as could be counted. */
  @IsInt()
  readonly matching!: number;

  /** Episodes that it has deleted. */
  @IsInt()
  readonly deleted!: number;

  /** Of what was added later it deletes nothing. */
  @Matches(INSTANT)
  readonly requestedAt!: Instant;

  @IsOptional()
  @Matches(INSTANT)
  readonly finishedAt?: Instant | undefined;

  /** Why it does not go on by itself. */
  @IsOptional()
  @IsString()
  readonly error?: string | undefined;
}

export class DeletionList {
  @ValidateNested({ each: true })
  @Type(() => Deletion)
  readonly deletions!: readonly Deletion[];
}

/** Which episodes a deletion by this filter, of the same author, would delete. A missing project has none. */
export const previewDeletion = operation('episodic', 'deletion.preview', {
  request: MatchingEpisodesRequest,
  response: DeletionPreview,
});

/**
 * From the answer on it is certain that every episode that matches the filter, and was added before, will be deleted;
 * of an author who is bound to a producer, every one that this producer said. Errors: `project_not_found`, `matching_changed`, idempotency.
 */
export const startDeletion = operation('episodic', 'deletion.start', {
  request: StartDeletionRequest,
  response: Deletion,
});

/** Errors: `project_not_found`, `job_not_found`. */
export const getDeletion = operation('episodic', 'deletion.get', {
  request: GetDeletionRequest,
  response: Deletion,
});

/** The latest of a project, newest first. A missing project has none. */
export const listDeletions = operation('episodic', 'deletion.list', {
  request: ProjectRequest,
  response: DeletionList,
});
