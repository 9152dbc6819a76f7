import { rateLimited } from '@loci/contracts';
import { type RowOf, ROWS_OF_ALL, UnitOfWork } from '@loci/persistence';
import { Inject, Injectable } from '@nestjs/common';
import { SemanticServiceEnv } from '../../env.js';
import { QUOTA_USE } from './quota-use.sql.js';
import { RESERVE_CALL } from './reserve-call.sql.js';
import { SETTLE_CALL } from './settle-call.sql.js';

/** A call that was let through. */
export interface ReservedCall {
  readonly orgId: string;
  /** `YYYY-MM-DD`, in UTC: the day that it counts for. */
  readonly day: string;
}

/** What a call took in the end. */
export interface CallUse {
  /** Replies of the provider, repairs included; none = it never answered, and the call does not count. */
  readonly calls: number;
  readonly tokens: number;
  /** In the currency of the prices of the model; absent without prices. */
  readonly cost?: number | undefined;
}

type Limits = Pick<
  SemanticServiceEnv,
  'QUOTA_MODEL_CALLS_PER_DAY' | 'QUOTA_MODEL_TOKENS_PER_DAY' | 'QUOTA_MODEL_COST_PER_DAY'
>;

/** A set that waits for its quota looks again after so long, because the quota may have been raised. */
const LOOK_AGAIN_SECONDS = 60;

/**
 * What an organization may ask of language models in a day of UTC. A call is counted before it is made, so that many at
 * once cannot exceed the quota. What it takes in tokens and costs, and whether its reply needed a repair (a second request), is known
 * afterwards: calls that are under way when the quota is used up still end.
 */
@Injectable()
export class ModelQuotas {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    @Inject(SemanticServiceEnv) private readonly limits: Limits,
  ) {}

  /** @throws AppError `model_quota_exceeded`, naming the quota */
  async reserve(orgId: string): Promise<ReservedCall> {
    const values = [orgId, ...this.defaults];
    const [row] = await this.unitOfWork.execute(RESERVE_CALL, values, { scope: ROWS_OF_ALL });
    if (row) return { orgId, day: row.day };
    throw await this.exceeded(orgId);
  }

  async settle({ orgId, day }: ReservedCall, { calls, tokens, cost = 0 }: CallUse): Promise<void> {
    await this.unitOfWork.execute(SETTLE_CALL, [orgId, day, calls, tokens, cost], { scope: ROWS_OF_ALL });
  }

  private get defaults(): readonly number[] {
    const { QUOTA_MODEL_CALLS_PER_DAY: calls, QUOTA_MODEL_TOKENS_PER_DAY: tokens } = this.limits;
    return [calls, tokens, this.limits.QUOTA_MODEL_COST_PER_DAY];
  }

  private async exceeded(orgId: string): Promise<Error> {
    const values = [orgId, ...this.defaults];
    const [use] = await this.unitOfWork.execute(QUOTA_USE, values, { scope: ROWS_OF_ALL });
    const spent = use ? spentOf(use) : 'quota of language models';
    return rateLimited(
      'model_quota_exceeded',
      `The organization has used its ${spent} of today; ingestion goes on at 00:00 UTC, or when an administrator raises the quota (PUT /api/v2/quotas).`,
      { retryAfterSeconds: Math.max(1, Math.min(use?.left ?? 1, LOOK_AGAIN_SECONDS)) },
    );
  }
}

/** What the organization has used up. */
function spentOf({
  max_calls,
  max_tokens,
  max_cost,
  has_calls,
  has_tokens,
}: RowOf<typeof QUOTA_USE.row>): string {
  if (!has_calls)
    return `${max_calls} calls of language models (model_calls_per_day, by default QUOTA_MODEL_CALLS_PER_DAY)`;
  if (!has_tokens)
    return `${max_tokens} tokens of language models (model_tokens_per_day, by default QUOTA_MODEL_TOKENS_PER_DAY)`;
  return `${max_cost} of cost of language models (model_cost_per_day, by default QUOTA_MODEL_COST_PER_DAY)`;
}
