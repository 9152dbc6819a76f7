import { Type } from 'class-transformer';
import { IsIn, IsOptional, IsString, Matches, ValidateNested } from 'class-validator';
import { Dated } from '../dated.contract.js';
import { INSTANT, type Instant } from '../instant.js';
import { SemanticRequest } from './semantic-request.contract.js';

/** When a feature holds: from the one moment until just before the other. */
export class Validity {
  /** Absent: nothing says since when. */
  @IsOptional()
  @ValidateNested()
  @Type(() => Dated)
  readonly validFrom?: Dated | undefined;

  /** Absent: nothing says that it ended, or will. */
  @IsOptional()
  @ValidateNested()
  @Type(() => Dated)
  readonly validUntil?: Dated | undefined;

  /** Id of the feature by which it was replaced. */
  @IsOptional()
  @IsString()
  readonly supersededBy?: string | undefined;
}

/** Which features are read, by when they hold: those that have neither ended nor expired, those that have ended, those that have expired, or all. */
export const VALIDITY_STATES = ['current', 'ended', 'expired', 'all'] as const;
export type ValidityState = (typeof VALIDITY_STATES)[number];

/** A request that reads features of some time. */
export class TimedRequest extends SemanticRequest {
  /** Those that held at this moment. */
  @IsOptional()
  @Matches(INSTANT)
  readonly asOf?: Instant | undefined;

  /** Instead of `asOf`; absent = `current`. */
  @IsOptional()
  @IsIn(VALIDITY_STATES)
  readonly validity?: ValidityState | undefined;
}
