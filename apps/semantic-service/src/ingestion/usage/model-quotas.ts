import { rateLimited, type SemanticQuota } from '@loci/contracts';
import { type PreparedStatement, ROWS_OF_ALL, UnitOfWork } from '@loci/persistence';
import { Inject, Injectable } from '@nestjs/common';
import { SCHEMA } from '../../database.js';
import { SemanticServiceEnv } from '../../env.js';

/** A call that was let through. */
export interface ReservedCall {
  readonly orgId: string;
  /** `YYYY-MM-DD`, in UTC: the day that it counts for. */
  readonly day: string;
}

type Limits = Pick<SemanticServiceEnv, 'QUOTA_MODEL_CALLS_PER_DAY' | 'QUOTA_MODEL_TOKENS_PER_DAY'>;

/** A set that waits for its quota looks again after so long, because the quota may have been raised. */
const LOOK_AGAIN_SECONDS = 60;

const TODAY = `(now() AT TIME ZONE 'UTC')::date`;
const USE = `${SCHEMA}.model_quota_use`;

const ownLimit = (name: SemanticQuota): string =>
  `(SELECT max FROM ${SCHEMA}.quota_limits WHERE org_id = $1 AND quota = '${name}')`;

/** Parameters: the organization, and the defaults of the two quotas. */
const LIMITS = `
SELECT coalesce(${ownLimit('model_calls_per_day')}, $2::bigint) AS max_calls,
       coalesce(${ownLimit('model_tokens_per_day')}, $3::bigint) AS max_tokens`;

/** One row of an organization and day, so that callers at the same time cannot both take the last call. */
const RESERVE: PreparedStatement = {
  name: 'model_quota_reserve',
  sql: `
WITH limits AS MATERIALIZED (${LIMITS})
INSERT INTO ${USE} AS used (org_id, day, calls, tokens)
SELECT $1, ${TODAY}, 1, 0 FROM limits WHERE max_calls > 0 AND max_tokens > 0
ON CONFLICT (org_id, day) DO UPDATE SET calls = used.calls + 1
WHERE used.calls < (SELECT max_calls FROM limits) AND used.tokens < (SELECT max_tokens FROM limits)
RETURNING day::text AS day`,
};

const SETTLE: PreparedStatement = {
  name: 'model_quota_settle',
  sql: `UPDATE ${USE} SET calls = calls + $3::bigint - 1, tokens = tokens + $4::bigint WHERE org_id = $1 AND day = $2::date`,
};

const LEFT = `
WITH limits AS (${LIMITS})
SELECT max_calls, max_tokens, coalesce(used.calls, 0) < max_calls AS has_calls,
       extract(epoch FROM ${TODAY} + 1 - now() AT TIME ZONE 'UTC')::int AS left
FROM limits LEFT JOIN ${USE} AS used ON org_id = $1 AND day = ${TODAY}`;

interface UseRow {
  readonly max_calls: string;
  readonly max_tokens: string;
  readonly has_calls: boolean;
  readonly left: number;
}

/**
 * What an organization may ask of language models in a day of UTC. A call is counted before it is made, so that many at
 * once cannot exceed the quota. What it takes in tokens, and whether its reply needed a repair (a second request), is known
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
    const { QUOTA_MODEL_CALLS_PER_DAY: calls, QUOTA_MODEL_TOKENS_PER_DAY: tokens } = this.limits;
    const scope = { scope: ROWS_OF_ALL };
    const [row] = await this.unitOfWork.prepared<{ day: string }>(RESERVE, [orgId, calls, tokens], scope);
    if (row) return { orgId, day: row.day };
    throw await this.exceeded(orgId);
  }

  /** @param calls replies of the provider, repairs included; none = it never answered, and the call does not count */
  async settle({ orgId, day }: ReservedCall, calls: number, tokens: number): Promise<void> {
    await this.unitOfWork.prepared(SETTLE, [orgId, day, calls, tokens], { scope: ROWS_OF_ALL });
  }

  private async exceeded(orgId: string): Promise<Error> {
    const { QUOTA_MODEL_CALLS_PER_DAY: calls, QUOTA_MODEL_TOKENS_PER_DAY: tokens } = this.limits;
    const [use] = await this.unitOfWork.single(
      (manager) => manager.query<UseRow[]>(LEFT, [orgId, calls, tokens]),
      ROWS_OF_ALL,
    );
    const spent =
      use?.has_calls === false
        ? `${use.max_calls} calls of language models (model_calls_per_day, by default QUOTA_MODEL_CALLS_PER_DAY)`
        : `${use?.max_tokens ?? tokens} tokens of language models (model_tokens_per_day, by default QUOTA_MODEL_TOKENS_PER_DAY)`;
    return rateLimited(
      'model_quota_exceeded',
      `The organization has used its ${spent} of today; ingestion goes on at 00:00 UTC, or when an administrator raises the quota (PUT /api/v2/quotas).`,
      { retryAfterSeconds: Math.max(1, Math.min(use?.left ?? 1, LOOK_AGAIN_SECONDS)) },
    );
  }
}
