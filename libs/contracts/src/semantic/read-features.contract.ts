import { Type } from 'class-transformer';
import {
  IsBoolean,
  IsInt,
  IsNumber,
  IsObject,
  IsOptional,
  IsString,
  Min,
  ValidateNested,
} from 'class-validator';
import { type Filter } from '../filters/filter.js';
import { operation } from '../operation.js';
import { PageByPosition, RowPosition } from '../row-position.contract.js';
import { Feature } from './feature.contract.js';
import { TimedRequest } from './validity.contract.js';

export class ListFeaturesRequest extends TimedRequest {
  /** Of sets that all feed, only what is about this user is listed. Absent = all. */
  @IsOptional()
  @IsString()
  readonly user?: string | undefined;

  /** Chooses the sets, as the metadata of an episode would. */
  @IsObject()
  readonly setMetadata!: Readonly<Record<string, string>>;

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

  /** Whether pinned features come before the others; not with `byPosition`. Default false. */
  @IsOptional()
  @IsBoolean()
  readonly pinnedFirst?: boolean | undefined;

  /** Instead of `pageNum`. */
  @IsOptional()
  @ValidateNested()
  @Type(() => PageByPosition)
  readonly byPosition?: PageByPosition | undefined;
}

export class ListFeaturesResponse {
  @ValidateNested({ each: true })
  @Type(() => Feature)
  readonly features!: readonly Feature[];

  /** How many match on all pages together; absent behind the first page by position. */
  @IsOptional()
  @IsInt()
  readonly total?: number | undefined;

  /** Of a page by position: where the next one begins; absent on the last. */
  @IsOptional()
  @ValidateNested()
  @Type(() => RowPosition)
  readonly next?: RowPosition | undefined;
}

export class SearchFeaturesRequest extends TimedRequest {
  /** Of sets that all feed, only what is about this user is found. Absent = all. */
  @IsOptional()
  @IsString()
  readonly user?: string | undefined;

  @IsObject()
  readonly setMetadata!: Readonly<Record<string, string>>;

  @IsString()
  readonly query!: string;

  /** Of each set. */
  @IsInt()
  @Min(1)
  readonly topK!: number;

  /** The least score of a hit; absent = nothing is cut. */
  @IsOptional()
  @IsNumber()
  readonly scoreThreshold?: number | undefined;

  /** Whether the pinned features that match the filter come before all others, however well they fit. Default false. */
  @IsOptional()
  @IsBoolean()
  readonly pinnedFirst?: boolean | undefined;

  /** Whether hits say what their scores are made of. Default false. */
  @IsOptional()
  @IsBoolean()
  readonly explain?: boolean | undefined;

  @IsOptional()
  @IsObject()
  readonly filter?: Filter | undefined;
}

export class SearchFeaturesResponse {
  /** Those of all sets, best first. */
  @ValidateNested({ each: true })
  @Type(() => Feature)
  readonly features!: readonly Feature[];

  /** What could not take part in the answer, as stable slugs; empty when all is well. */
  @IsString({ each: true })
  readonly degraded!: readonly string[];

  /** Whose messages the project trusts, see `isTrustedProducer`. Absent: those of all producers. */
  @IsOptional()
  @IsString({ each: true })
  readonly trustedProducers?: readonly string[] | undefined;
}

export class ReadProfileRequest extends TimedRequest {
  @IsString()
  readonly user!: string;

  @IsInt()
  @Min(1)
  readonly limit!: number;
}

export class ReadProfileResponse {
  /** Of each category as much as of the others, last changed first; fewer than asked for where they would be too large for an answer. */
  @ValidateNested({ each: true })
  @Type(() => Feature)
  readonly features!: readonly Feature[];
}

/** Sorted by the time of their creation, then id. A missing project lists nothing. */
export const listFeatures = operation('semantic', 'feature.list', {
  request: ListFeaturesRequest,
  response: ListFeaturesResponse,
});

/** A search has more than one leg to stand on: it does not wait long for this one. */
const SEARCH_TIMEOUT_MS = 4_000;

/** A missing project finds nothing. */
export const searchFeatures = operation(
  'semantic',
  'feature.search',
  { request: SearchFeaturesRequest, response: SearchFeaturesResponse },
  SEARCH_TIMEOUT_MS,
);

/** What is known of a user, in sets of this user and in those that all feed. Errors: `unknown_subject`. */
export const readProfile = operation('semantic', 'profile.read', {
  request: ReadProfileRequest,
  response: ReadProfileResponse,
});
