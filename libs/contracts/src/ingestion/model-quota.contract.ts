import { Type } from 'class-transformer';
import { IsDateString, IsInt, IsString, Matches, MaxLength, Min, ValidateNested } from 'class-validator';
import { operation } from '../operation.js';
import { Done, ProjectReference } from '../projects/project.contract.js';
import { IDENTIFIER, IDENTIFIER_MAX_LENGTH } from '../tenant.js';

export class ReserveModelCallRequest {
  @Matches(IDENTIFIER)
  @MaxLength(IDENTIFIER_MAX_LENGTH)
  readonly orgId!: string;
}

/** A call of a language model that was let through. */
export class ReservedModelCall {
  /** `YYYY-MM-DD`, in UTC: the day that it counts for. */
  @IsDateString({ strict: true })
  readonly day!: string;
}

/** What a call took in the end. */
export class SettleModelCallRequest extends ReservedModelCall {
  @ValidateNested()
  @Type(() => ProjectReference)
  readonly project!: ProjectReference;

  /** Its name in the registry. */
  @IsString()
  readonly model!: string;

  /** Replies of the provider, also those that were of no use; none = it never answered, and the call does not count. */
  @IsInt()
  @Min(0)
  readonly calls!: number;

  /** 1 when nothing usable came in the end. */
  @IsInt()
  @Min(0)
  readonly failures!: number;

  @IsInt()
  @Min(0)
  readonly inputTokens!: number;

  /** Those of the input that the provider had kept from a former request. */
  @IsInt()
  @Min(0)
  readonly cachedTokens!: number;

  @IsInt()
  @Min(0)
  readonly outputTokens!: number;
}

/**
 * Counts a call of a language model for an organization, before another service makes it.
 * @throws AppError `model_quota_exceeded`, naming the quota that is used up for today
 */
export const reserveModelCall = operation('semantic', 'model_quota.reserve', {
  request: ReserveModelCallRequest,
  response: ReservedModelCall,
});

/** Says what such a call took; its cost is that of the prices which the model has now. */
export const settleModelCall = operation('semantic', 'model_quota.settle', {
  request: SettleModelCallRequest,
  response: Done,
});
