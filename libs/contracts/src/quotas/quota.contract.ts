import { Type } from 'class-transformer';
import {
  IsBoolean,
  IsIn,
  IsInt,
  IsOptional,
  Matches,
  Max,
  MaxLength,
  Min,
  ValidateNested,
} from 'class-validator';
import { forbidden, type AppError } from '../errors/app-error.js';
import { IdempotencyToken } from '../idempotency.js';
import { operation } from '../operation.js';
import { IDENTIFIER, IDENTIFIER_MAX_LENGTH } from '../tenant.js';

/** Quotas that the config service enforces. */
export const CONFIG_QUOTAS = ['projects', 'keys', 'webhooks'] as const;
export type ConfigQuota = (typeof CONFIG_QUOTAS)[number];

/** Quotas that the semantic service enforces. */
export const SEMANTIC_QUOTAS = [
  'sets',
  'set_types',
  'categories_per_set',
  'model_calls_per_day',
  'model_tokens_per_day',
  'model_cost_per_day',
] as const;
export type SemanticQuota = (typeof SEMANTIC_QUOTAS)[number];

export const QUOTA_NAMES = [...CONFIG_QUOTAS, ...SEMANTIC_QUOTAS] as const;
export type QuotaName = (typeof QUOTA_NAMES)[number];

/** More than any deployment holds, and exact as a number of JSON. */
export const MAX_QUOTA = 1_000_000_000_000;

/** One quota of an organization, and what the organization uses of it. */
export class QuotaUse {
  @IsIn(QUOTA_NAMES)
  readonly name!: QuotaName;

  @IsInt()
  readonly limit!: number;

  /** Of `categories_per_set`: those of the set that has most. Can exceed the limit, which may have been lowered. */
  @IsInt()
  readonly used!: number;

  /** Whether the limit is the default of the deployment. */
  @IsBoolean()
  readonly isDefault!: boolean;
}

export class OrganizationQuotas {
  @ValidateNested({ each: true })
  @Type(() => QuotaUse)
  readonly quotas!: readonly QuotaUse[];

  /** Messages for which a set could not be made, and which are ingested into it when there is room. */
  @IsOptional()
  @IsInt()
  readonly messagesWaiting?: number | undefined;
}

export class GetQuotasRequest {
  @Matches(IDENTIFIER)
  @MaxLength(IDENTIFIER_MAX_LENGTH)
  readonly orgId!: string;
}

export class QuotaLimit {
  @IsIn(QUOTA_NAMES)
  readonly name!: QuotaName;

  @IsInt()
  @Min(0)
  @Max(MAX_QUOTA)
  readonly limit!: number;
}

export class SetQuotasRequest extends GetQuotasRequest {
  /** Those that are absent get the default of the deployment. */
  @ValidateNested({ each: true })
  @Type(() => QuotaLimit)
  readonly limits!: readonly QuotaLimit[];

  @IsOptional()
  @ValidateNested()
  @Type(() => IdempotencyToken)
  readonly idempotency?: IdempotencyToken | undefined;
}

export const getConfigQuotas = operation('config', 'quota.get', {
  request: GetQuotasRequest,
  response: OrganizationQuotas,
});

/** Replaces all limits that differ from the defaults; those of other services are ignored. Errors: `producer_not_allowed`, `name_confusable`. */
export const setConfigQuotas = operation('config', 'quota.set', {
  request: SetQuotasRequest,
  response: OrganizationQuotas,
});

export const getSemanticQuotas = operation('semantic', 'quota.get', {
  request: GetQuotasRequest,
  response: OrganizationQuotas,
});

/** As `setConfigQuotas`. */
export const setSemanticQuotas = operation('semantic', 'quota.set', {
  request: SetQuotasRequest,
  response: OrganizationQuotas,
});

const THINGS: Readonly<Record<QuotaName, string>> = {
  projects: 'projects',
  keys: 'API keys',
  webhooks: 'webhooks',
  sets: 'semantic sets',
  set_types: 'set types',
  categories_per_set: 'categories in one set',
  model_calls_per_day: 'calls of language models a day',
  model_tokens_per_day: 'tokens of language models a day',
  model_cost_per_day: 'of cost of language models a day',
};

/** @param used before the refused creation */
export function quotaExceeded(orgId: string, { name, limit, used }: Omit<QuotaUse, 'isDefault'>): AppError {
  return forbidden(
    'quota_exceeded',
    `The organization ${orgId} uses ${used} of its quota of ${limit} ${THINGS[name]}; remove some, or ask an administrator of the deployment to raise it with PUT /api/v2/quotas.`,
    { fields: { quota: name, limit, used } },
  );
}
