import { Type } from 'class-transformer';
import { IsBoolean, IsInt, IsNumber, IsOptional, IsString, Max, Min, ValidateNested } from 'class-validator';
import { operation } from '../operation.js';
import { SemanticRequest } from '../semantic/semantic-request.contract.js';

/** Days of usage that can be asked for at once. */
export const MAX_USAGE_DAYS = 366;

export class GetIngestionUsageRequest extends SemanticRequest {
  /** Today included, in UTC. */
  @IsInt()
  @Min(1)
  @Max(MAX_USAGE_DAYS)
  readonly days!: number;
}

/** What one model was asked on one day. */
export class IngestionUsage {
  /** `YYYY-MM-DD`, in UTC. */
  @IsString()
  readonly day!: string;

  /** Its name in the registry. */
  @IsString()
  readonly model!: string;

  /** For sets of the organization, which all of its projects share. */
  @IsBoolean()
  readonly isOrgLevel!: boolean;

  /** Calls that the provider answered, also those whose reply was of no use. */
  @IsInt()
  readonly calls!: number;

  /** Requests that ended without a usable reply. */
  @IsInt()
  readonly failures!: number;

  @IsInt()
  readonly inputTokens!: number;

  @IsInt()
  readonly outputTokens!: number;

  /** In the currency of the prices that the model had when it was called; absent when it never had any. */
  @IsOptional()
  @IsNumber()
  readonly cost?: number | undefined;
}

export class IngestionUsageList {
  @ValidateNested({ each: true })
  @Type(() => IngestionUsage)
  readonly usage!: readonly IngestionUsage[];
}

/** Newest day first. A missing project has only what belongs to its organization, if the caller may see that. */
export const getIngestionUsage = operation('semantic', 'usage.get', {
  request: GetIngestionUsageRequest,
  response: IngestionUsageList,
});
