import { Type } from 'class-transformer';
import {
  ArrayMaxSize,
  IsArray,
  IsBoolean,
  IsIn,
  IsInt,
  IsOptional,
  IsString,
  Length,
  Matches,
  Max,
  Min,
  ValidateNested,
} from 'class-validator';
import { MAX_TTL_SECONDS } from '../episodes/episode.contract.js';
import { SOURCE_UID_MAX_LENGTH } from '../episodes/episode-transfer.contract.js';
import { Dated } from '../dated.contract.js';
import { INSTANT, type Instant } from '../instant.js';
import { operation } from '../operation.js';
import { RowPosition } from '../row-position.contract.js';
import { FeatureContent, MAX_FEATURE_CONTRADICTIONS } from './feature-content.contract.js';
import { FeatureOrigin } from './feature-origin.contract.js';
import { SemanticRequest } from './semantic-request.contract.js';
import { TimedRequest } from './validity.contract.js';
import { SetName } from '../set-name.contract.js';

/** The most parts that one import may carry between services: each is a few statements of one transaction. */
export const MAX_PARTS_PER_IMPORT = 100;

/** A set type by what makes it the one it is, whatever its id. */
export class SetTypeName {
  @IsBoolean()
  readonly isOrgLevel!: boolean;

  @IsArray()
  @IsString({ each: true })
  readonly tags!: readonly string[];
}

export class TransferredSetType extends SetTypeName {
  @IsOptional()
  @IsString()
  readonly name?: string | undefined;

  @IsOptional()
  @IsString()
  readonly description?: string | undefined;
}

/** Of one category, at most. */
export const MAX_CATEGORY_TAGS = 10_000;

export class TransferredTag {
  @IsString()
  readonly name!: string;

  @IsString()
  readonly description!: string;
}

class TransferredPrompt {
  @IsString()
  readonly name!: string;

  @IsString()
  readonly prompt!: string;

  @IsOptional()
  @IsString()
  readonly description?: string | undefined;

  /** How long its features hold without being said again, in seconds; absent = for good. */
  @IsOptional()
  @IsInt()
  @Min(1)
  @Max(MAX_TTL_SECONDS)
  readonly ttlSeconds?: number | undefined;

  @IsArray()
  @ValidateNested({ each: true })
  @Type(() => TransferredTag)
  readonly tags!: readonly TransferredTag[];
}

export class TransferredTemplate extends TransferredPrompt {
  @ValidateNested()
  @Type(() => SetTypeName)
  readonly setType!: SetTypeName;
}

export class TransferredCategory extends TransferredPrompt {
  @ValidateNested()
  @Type(() => SetName)
  readonly set!: SetName;
}

/** Names of categories that one set does without at most. */
export const MAX_DISABLED_CATEGORIES = 10_000;

/** What a client chose for a set. */
export class TransferredSet extends SetName {
  @IsOptional()
  @IsString()
  readonly embedderName?: string | undefined;

  @IsOptional()
  @IsString()
  readonly llmName?: string | undefined;

  @IsArray()
  @IsString({ each: true })
  readonly disabledCategories!: readonly string[];
}

/** What a message, or a client, says of when a feature holds. */
export class TransferredDate extends Dated {
  @IsIn(['from', 'until'])
  readonly bound!: 'from' | 'until';

  /** The message that says so, as it is called where it comes from; absent = a client. */
  @IsOptional()
  @IsString()
  readonly episode?: string | undefined;

  /** The feature by which it was replaced then, as it is called where it comes from. */
  @IsOptional()
  @IsString()
  readonly supersededBy?: string | undefined;
}

export class TransferredFeature extends FeatureContent {
  /** What it is called where it comes from. */
  @IsString()
  @Length(1, SOURCE_UID_MAX_LENGTH)
  readonly sourceUid!: string;

  @ValidateNested()
  @Type(() => SetName)
  readonly set!: SetName;

  /** Whether a client wrote it, or a part of it: then it stands without citations too. */
  @IsBoolean()
  readonly byClient!: boolean;

  /** Whether its messages are of trusted producers. Default true. */
  @IsOptional()
  @IsBoolean()
  readonly isTrusted?: boolean | undefined;

  /** Whether a client wants it first where it asks so. Default false. */
  @IsOptional()
  @IsBoolean()
  readonly isPinned?: boolean | undefined;

  /** Whether its name has one value at a time; absent where nothing says so. */
  @IsOptional()
  @IsBoolean()
  readonly isSingleValued?: boolean | undefined;

  /** Absent = the import. */
  @IsOptional()
  @ValidateNested()
  @Type(() => FeatureOrigin)
  readonly origin?: FeatureOrigin | undefined;

  /** Absent = when it is stored. */
  @IsOptional()
  @Matches(INSTANT)
  readonly createdAt?: Instant | undefined;

  /** When what it says was stored; absent = as `createdAt`. */
  @IsOptional()
  @Matches(INSTANT)
  readonly recordedAt?: Instant | undefined;

  /** What was said of when it holds. Absent = nothing. */
  @IsOptional()
  @IsArray()
  @ValidateNested({ each: true })
  @Type(() => TransferredDate)
  readonly dates?: readonly TransferredDate[] | undefined;

  /** The features that it was found to contradict, as they are called where they come from. Absent = none. */
  @IsOptional()
  @IsArray()
  @ArrayMaxSize(MAX_FEATURE_CONTRADICTIONS)
  @IsString({ each: true })
  readonly contradicts?: readonly string[] | undefined;

  /** The episodes of the project that it rests on, as they are called where they come from. */
  @IsArray()
  @IsString({ each: true })
  readonly citations!: readonly string[];
}

/** Kinds of parts, each behind those that it depends on. */
export const SEMANTIC_PARTS = ['setTypes', 'templates', 'sets', 'categories', 'features'] as const;
export type SemanticPart = (typeof SEMANTIC_PARTS)[number];

/** Parts of the semantic memory of a project. */
export class SemanticParts {
  @IsArray()
  @ArrayMaxSize(MAX_PARTS_PER_IMPORT)
  @ValidateNested({ each: true })
  @Type(() => TransferredSetType)
  readonly setTypes!: readonly TransferredSetType[];

  @IsArray()
  @ArrayMaxSize(MAX_PARTS_PER_IMPORT)
  @ValidateNested({ each: true })
  @Type(() => TransferredTemplate)
  readonly templates!: readonly TransferredTemplate[];

  @IsArray()
  @ArrayMaxSize(MAX_PARTS_PER_IMPORT)
  @ValidateNested({ each: true })
  @Type(() => TransferredSet)
  readonly sets!: readonly TransferredSet[];

  @IsArray()
  @ArrayMaxSize(MAX_PARTS_PER_IMPORT)
  @ValidateNested({ each: true })
  @Type(() => TransferredCategory)
  readonly categories!: readonly TransferredCategory[];

  @IsArray()
  @ArrayMaxSize(MAX_PARTS_PER_IMPORT)
  @ValidateNested({ each: true })
  @Type(() => TransferredFeature)
  readonly features!: readonly TransferredFeature[];
}

/** Without a time, what ended is among the features, too. */
export class ExportSemanticRequest extends TimedRequest {
  @IsIn(SEMANTIC_PARTS)
  readonly part!: SemanticPart;

  /** Absent = from the beginning. */
  @IsOptional()
  @ValidateNested()
  @Type(() => RowPosition)
  readonly after?: RowPosition | undefined;
}

export class ExportedSemanticParts {
  /** Of the kind that was asked for, as many as fit into a message; none at the end. */
  @ValidateNested()
  @Type(() => SemanticParts)
  readonly parts!: SemanticParts;

  /** Where each of them is. */
  @ValidateNested({ each: true })
  @Type(() => RowPosition)
  readonly positions!: readonly RowPosition[];
}

export class ImportSemanticRequest extends SemanticRequest {
  @ValidateNested()
  @Type(() => SemanticParts)
  readonly parts!: SemanticParts;
}

export class ImportedSemanticParts {
  /** How many were not there yet. */
  @IsInt()
  readonly added!: number;

  /** Features that are not there now either, and sets that lack a model, as it is not there. Absent from a service of the version before: none is known. */
  @IsOptional()
  @IsInt()
  readonly leftOut?: number | undefined;

  /** Features that were added without their beginning, because by their messages they ended before it. Absent as above. */
  @IsOptional()
  @IsInt()
  readonly datesLeftOut?: number | undefined;
}

/**
 * The next parts of a kind, by the time of their making, then uid. Parts of the organization as a whole are among them
 * for a caller who may read them; of its features those that a client wrote, and those that cite episodes of the project.
 * A missing project has none.
 */
export const exportSemantic = operation('semantic', 'memory.export', {
  request: ExportSemanticRequest,
  response: ExportedSemanticParts,
});

/**
 * Adds what is missing, all or none; what is there stays as it is, but a feature gets the citations that it lacks. A set
 * goes without the models that do not exist here. A feature that no client wrote is left out when none of the episodes that
 * it cites is there. What ends before it begins, as it may once a message is forgotten, keeps its end alone: what holds now
 * stays the same. Errors: `category_not_found`, `project_being_deleted`, `set_not_found` and `forbidden` for parts of the organization.
 */
export const importSemantic = operation('semantic', 'memory.import', {
  request: ImportSemanticRequest,
  response: ImportedSemanticParts,
});
