import { Type } from 'class-transformer';
import { IsIn, IsOptional, IsString, ValidateNested } from 'class-validator';
import { Author } from '../author.js';

/** By which way a feature came to say what it says. */
export const FEATURE_ORIGINS = ['client', 'ingestion', 'consolidation', 'import'] as const;
export type FeatureOriginKind = (typeof FEATURE_ORIGINS)[number];

/**
 * How far a feature can be relied on. `protected`: a client wrote or corrected it, and no model changes it. `trusted`:
 * a model drew it from messages of trusted producers. `untrusted`: from messages of others.
 */
export const FEATURE_TRUSTS = ['protected', 'trusted', 'untrusted'] as const;
export type FeatureTrust = (typeof FEATURE_TRUSTS)[number];

/** Who determined last what a feature says. The messages behind it are its citations. */
export class FeatureOrigin {
  @IsIn(FEATURE_ORIGINS)
  readonly kind!: FeatureOriginKind;

  /** The client that wrote, imported or accepted it; absent without authentication. */
  @IsOptional()
  @ValidateNested()
  @Type(() => Author)
  readonly author?: Author | undefined;

  /** Name of the language model that worded it. */
  @IsOptional()
  @IsString()
  readonly model?: string | undefined;
}
