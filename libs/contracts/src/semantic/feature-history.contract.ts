import { Type } from 'class-transformer';
import { IsIn, IsOptional, IsString, IsUUID, Matches, ValidateNested } from 'class-validator';
import { Author } from '../author.js';
import { INSTANT, type Instant } from '../instant.js';
import { FeatureContent } from './feature-content.contract.js';
import { FEATURE_TRUSTS, type FeatureTrust } from './feature-origin.contract.js';
import { Validity } from './validity.contract.js';

/**
 * Who changes features: a client, the extraction or the consolidation of an ingestion, a person who undoes a change, or the
 * import of a project.
 */
export const CHANGE_ORIGINS = ['client', 'ingestion', 'consolidation', 'undo', 'import'] as const;
export type ChangeOriginKind = (typeof CHANGE_ORIGINS)[number];

export const CHANGE_ACTIONS = ['add', 'update', 'remove'] as const;
export type ChangeAction = (typeof CHANGE_ACTIONS)[number];

/** What a feature said at one moment. */
export class FeatureState extends FeatureContent {
  @IsIn(FEATURE_TRUSTS)
  readonly trust!: FeatureTrust;

  /** When it holds; absent: always, as far as is known. */
  @IsOptional()
  @ValidateNested()
  @Type(() => Validity)
  readonly validity?: Validity | undefined;

  @IsString({ each: true })
  readonly citations!: readonly string[];
}

/** Who made a change, and when. */
export class ChangeSource {
  @IsString()
  readonly changeId!: string;

  @IsIn(CHANGE_ORIGINS)
  readonly origin!: ChangeOriginKind;

  @IsOptional()
  @IsString()
  readonly jobId?: string | undefined;

  /** Name of the language model that proposed the change. */
  @IsOptional()
  @IsString()
  readonly model?: string | undefined;

  /** The client that asked for the change. */
  @IsOptional()
  @ValidateNested()
  @Type(() => Author)
  readonly author?: Author | undefined;

  @Matches(INSTANT)
  readonly at!: Instant;
}

/** What a change did to one feature. */
export class FeatureChangeRecord extends ChangeSource {
  @IsIn(CHANGE_ACTIONS)
  readonly action!: ChangeAction;

  /** Uids of the episodes that the change was drawn from. */
  @IsString({ each: true })
  readonly episodes!: readonly string[];

  /** Absent when there was no such feature before. */
  @IsOptional()
  @ValidateNested()
  @Type(() => FeatureState)
  readonly before?: FeatureState | undefined;

  /** Absent when there was no such feature afterwards. */
  @IsOptional()
  @ValidateNested()
  @Type(() => FeatureState)
  readonly after?: FeatureState | undefined;
}

export class FeatureHistory {
  /** Newest first. */
  @ValidateNested({ each: true })
  @Type(() => FeatureChangeRecord)
  readonly changes!: readonly FeatureChangeRecord[];

  /** Behind what the next page begins; absent on the last. */
  @IsOptional()
  @IsUUID()
  readonly next?: string | undefined;
}
