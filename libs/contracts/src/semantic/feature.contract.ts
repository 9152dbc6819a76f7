import { Type } from 'class-transformer';
import {
  ArrayMinSize,
  IsArray,
  IsBoolean,
  IsIn,
  IsNumber,
  IsObject,
  IsOptional,
  IsString,
  IsUUID,
  Matches,
  ValidateNested,
} from 'class-validator';
import { Explanation } from '../episodes/explanation.contract.js';
import { RemovedEpisodes } from '../episodes/episode.contract.js';
import { INSTANT, type Instant } from '../instant.js';
import { event, work } from '../message.js';
import { operation } from '../operation.js';
import { ConfiguredProject, Done, ProjectReference } from '../projects/project.contract.js';
import { FeatureContent } from './feature-content.contract.js';
import { FeatureHistory } from './feature-history.contract.js';
import { FEATURE_TRUSTS, FeatureOrigin, type FeatureTrust } from './feature-origin.contract.js';
import { SemanticRequest, SemanticWriteRequest } from './semantic-request.contract.js';
import { Validity } from './validity.contract.js';

export class AddFeatureRequest extends SemanticWriteRequest {
  @IsString()
  readonly setId!: string;

  @IsString()
  readonly category!: string;

  @IsString()
  readonly tag!: string;

  @IsString()
  readonly name!: string;

  @IsString()
  readonly value!: string;

  /** Whom it is about; absent = the user whose set it is, if it is the set of one. */
  @IsOptional()
  @IsString()
  readonly subject?: string | undefined;

  @IsObject()
  readonly metadata!: Readonly<Record<string, string>>;

  @IsOptional()
  @ValidateNested()
  @Type(() => Validity)
  readonly validity?: Pick<Validity, 'validFrom' | 'validUntil'> | undefined;

  /** Whether it comes first where pinned features do; absent = no. */
  @IsOptional()
  @IsBoolean()
  readonly isPinned?: boolean | undefined;

  /** Whether its name has one value at a time; absent = nothing says so. */
  @IsOptional()
  @IsBoolean()
  readonly isSingleValued?: boolean | undefined;

  /** Uids of episodes of the project. */
  @IsArray()
  @IsString({ each: true })
  readonly citations!: readonly string[];
}

export class FeatureIdentity {
  @IsString()
  readonly featureId!: string;
}

export class GetFeatureRequest extends SemanticRequest {
  @IsString()
  readonly featureId!: string;

  @IsBoolean()
  readonly loadCitations!: boolean;
}

/** Something that is known. */
export class Feature extends FeatureContent {
  /** When it holds; absent: always, as far as is known. */
  @IsOptional()
  @ValidateNested()
  @Type(() => Validity)
  readonly validity?: Validity | undefined;

  /** When what it says was stored; the previous version did not tell. */
  @IsOptional()
  @Matches(INSTANT)
  readonly recordedAt?: Instant | undefined;

  /** When it expires unless it is said again; absent = never. */
  @IsOptional()
  @Matches(INSTANT)
  readonly expiresAt?: Instant | undefined;

  @IsString()
  readonly featureId!: string;

  @IsString()
  readonly setId!: string;

  @IsIn(FEATURE_TRUSTS)
  readonly trust!: FeatureTrust;

  @ValidateNested()
  @Type(() => FeatureOrigin)
  readonly origin!: FeatureOrigin;

  /** Uids of the episodes that it was learned from; absent when they were not asked for. */
  @IsOptional()
  @IsString({ each: true })
  readonly citations?: readonly string[] | undefined;

  /** Whether it comes first where pinned features do; absent = no. */
  @IsOptional()
  @IsBoolean()
  readonly isPinned?: boolean | undefined;

  /** Whether its name has one value at a time; absent = nothing says so. */
  @IsOptional()
  @IsBoolean()
  readonly isSingleValued?: boolean | undefined;

  /** Ids of features that contradict it; absent = none. At most 20. */
  @IsOptional()
  @IsString({ each: true })
  readonly conflictsWith?: readonly string[] | undefined;

  /** How well it fits the query, 0 to 1; only of what a search found. */
  @IsOptional()
  @IsNumber()
  readonly score?: number | undefined;

  /** What the score is made of; only where the search asks for it. */
  @IsOptional()
  @ValidateNested()
  @Type(() => Explanation)
  readonly explanation?: Explanation | undefined;
}

export class UpdateFeatureRequest extends SemanticWriteRequest {
  @IsString()
  readonly featureId!: string;

  @IsOptional()
  @IsString()
  readonly category?: string | undefined;

  @IsOptional()
  @IsString()
  readonly tag?: string | undefined;

  @IsOptional()
  @IsString()
  readonly name?: string | undefined;

  @IsOptional()
  @IsString()
  readonly value?: string | undefined;

  /** Replaces all of it. */
  @IsOptional()
  @IsObject()
  readonly metadata?: Readonly<Record<string, string>> | undefined;

  /** Whether it comes first where pinned features do; absent = unchanged. A pin alone is no correction. */
  @IsOptional()
  @IsBoolean()
  readonly isPinned?: boolean | undefined;

  /** Whether its name has one value at a time; absent = unchanged. */
  @IsOptional()
  @IsBoolean()
  readonly isSingleValued?: boolean | undefined;

  /** When what it says now holds; each absent one = unchanged. */
  @IsOptional()
  @ValidateNested()
  @Type(() => Validity)
  readonly validity?: Pick<Validity, 'validFrom' | 'validUntil'> | undefined;
}

export class RemoveFeaturesRequest extends SemanticWriteRequest {
  @IsArray()
  @ArrayMinSize(1)
  @IsString({ each: true })
  readonly featureIds!: readonly string[];
}

export class FeatureRequest extends SemanticRequest {
  @IsString()
  readonly featureId!: string;
}

export class FeatureHistoryRequest extends FeatureRequest {
  /** The `next` of the page before; absent = the newest changes. */
  @IsOptional()
  @IsUUID()
  readonly behind?: string | undefined;
}

export class UndoFeatureRequest extends SemanticWriteRequest {
  @IsString()
  readonly featureId!: string;

  /** The change to go back behind; absent = the latest. */
  @IsOptional()
  @IsString()
  readonly changeId?: string | undefined;

  /** As of `UndoChangesRequest`. */
  @IsOptional()
  @IsBoolean()
  readonly unlessChanged?: boolean | undefined;
}

/** Features of one set whose vectors may be out of date. */
export class FeaturesReference {
  @IsUUID()
  readonly setUid!: string;

  @IsArray()
  @ArrayMinSize(1)
  @IsUUID(undefined, { each: true })
  readonly uids!: readonly string[];
}

/** Errors: `set_not_found`, `category_not_found`, `memory_not_found` for a citation. */
export const addFeature = operation('semantic', 'feature.add', {
  request: AddFeatureRequest,
  response: FeatureIdentity,
});

/** Errors: `feature_not_found`. */
export const getFeature = operation('semantic', 'feature.get', {
  request: GetFeatureRequest,
  response: Feature,
});

/** Errors: `feature_not_found`, `category_not_found`. */
export const updateFeature = operation('semantic', 'feature.update', {
  request: UpdateFeatureRequest,
  response: Done,
});

/** Deletes what it finds and names the rest. Errors: `project_not_found`. */
export const removeFeatures = operation('semantic', 'feature.remove', {
  request: RemoveFeaturesRequest,
  response: RemovedEpisodes,
});

/** Empty where what happened to the feature is forgotten. Errors: `feature_not_found`. */
export const getFeatureHistory = operation('semantic', 'feature.history', {
  request: FeatureHistoryRequest,
  response: FeatureHistory,
});

/** Puts a feature back to what it was before a change, its absence included. Errors: `feature_not_found`, `change_not_found`, `changed_since`. */
export const undoFeature = operation('semantic', 'feature.undo', {
  request: UndoFeatureRequest,
  response: Done,
});

/** From now on the project takes no writes and shows no data in this service. Idempotent. */
export const closeSemanticProject = operation('semantic', 'project.close', {
  request: ProjectReference,
  response: Done,
});

/** From now on the project uses these models here, unless it knows a newer choice. Idempotent. */
export const adoptSemanticProjectModels = operation('semantic', 'project.adopt_models', {
  request: ConfiguredProject,
  response: Done,
});

/** Work message: to bring the vectors of these features up to date, deleted ones included. */
export const indexFeatures = work('semantic', 'features.index', FeaturesReference);

/** The semantic service stores nothing of this project any more. */
export const semanticProjectsErased = event('semantic', 'projects.erased', ProjectReference);
