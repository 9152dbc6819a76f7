import { rateLimited } from '@loci/contracts';
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

/** One row of an organization and day, so that callers at the same time cannot both take the last call. */
const RESERVE: PreparedStatement = {
  name: 'model_quota_reserve',
  sql: `
INSERT INTO ${USE} AS used (org_id, day, calls, tokens) VALUES ($1, ${TODAY}, 1, 0)
ON CONFLICT (org_id, day) DO UPDATE SET calls = used.calls + 1 WHERE used.calls < $2 AND used.tokens < $3
RETURNING day::text AS day`,
};

const SETTLE: PreparedStatement = {
  name: 'model_quota_settle',
  sql: `UPDATE ${USE} SET calls = calls + $3::bigint - 1, tokens = tokens + $4::bigint WHERE org_id = $1 AND day = $2::date`,
};

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

  /** @throws AppError `model_quota_exceeded`, naming the quota and its setting */
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
      (manager) =>
        manager.query<{ calls: string; left: number }[]>(
          `SELECT calls, extract(epoch FROM ${TODAY} + 1 - now() AT TIME ZONE 'UTC')::int AS left
           FROM ${USE} WHERE org_id = $1 AND day = ${TODAY}`,
          [orgId],
        ),
      ROWS_OF_ALL,
    );
    const spent =
      Number(use?.calls ?? 0) >= calls
        ? `${calls} calls of language models (QUOTA_MODEL_CALLS_PER_DAY)`
        : `${tokens} tokens of language models (QUOTA_MODEL_TOKENS_PER_DAY)`;
    return rateLimited(
      'model_quota_exceeded',
      `The organization has used its ${spent} of today; ingestion goes on at 00:00 UTC, or when the quota is raised.`,
      { retryAfterSeconds: Math.max(1, Math.min(use?.left ?? 1, LOOK_AGAIN_SECONDS)) },
    );
  }
}
