import { Type } from 'class-transformer';
import { IsBoolean, IsInt, IsString, Max, Min, ValidateNested } from 'class-validator';
import { operation } from '../operation.js';
import { SemanticRequest } from '../semantic/semantic-request.contract.js';
import { ModelUse } from './model-use.contract.js';

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
export class IngestionUsage extends ModelUse {
  /** `YYYY-MM-DD`, in UTC. */
  @IsString()
  readonly day!: string;

  /** Its name in the registry. */
  @IsString()
  readonly model!: string;

  /** For sets of the organization, which all of its projects share. */
  @IsBoolean()
  readonly isOrgLevel!: boolean;

  /** Requests that ended without a usable reply. */
  @IsInt()
  readonly failures!: number;
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
