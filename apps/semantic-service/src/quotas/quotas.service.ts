import {
  type OrganizationQuotas,
  SEMANTIC_QUOTAS,
  type SemanticQuota,
  setSemanticQuotas,
  type SetQuotasRequest,
} from '@loci/contracts';
import { Idempotency, QuotaLimits, ROWS_OF_ALL, UnitOfWork } from '@loci/persistence';
import { Injectable } from '@nestjs/common';
import { CategoryQuota } from '../categories/category-quota.js';
import { SCHEMA } from '../database.js';
import { SemanticServiceEnv } from '../env.js';
import { MessagesWithoutSet } from '../ingestion/backlog/messages-without-set.js';
import { defaultQuotas } from './default-quotas.js';

const USE = `
SELECT coalesce((SELECT sets FROM ${SCHEMA}.set_counts WHERE org_id = $1), 0)::float8 AS sets,
       coalesce(today.calls, 0)::float8 AS calls, coalesce(today.tokens, 0)::float8 AS tokens
FROM (SELECT 1) AS always
LEFT JOIN ${SCHEMA}.model_quota_use AS today ON today.org_id = $1 AND day = (now() AT TIME ZONE 'UTC')::date`;

interface UseRow {
  readonly sets: number;
  readonly calls: number;
  readonly tokens: number;
}

/** What organizations may have in semantic memory, and what they use. */
@Injectable()
export class QuotasService {
  constructor(
    private readonly limits: QuotaLimits,
    private readonly categories: CategoryQuota,
    private readonly waiting: MessagesWithoutSet,
    private readonly idempotency: Idempotency,
    private readonly unitOfWork: UnitOfWork,
    private readonly env: SemanticServiceEnv,
  ) {}

  async of(orgId: string): Promise<OrganizationQuotas> {
    const [own, used] = [await this.limits.of(orgId), await this.used(orgId)];
    const defaults = defaultQuotas(this.env);
    return {
      quotas: SEMANTIC_QUOTAS.map((name) => ({
        name,
        limit: own.get(name) ?? defaults[name],
        used: used[name],
        isDefault: !own.has(name),
      })),
      messagesWaiting: await this.waiting.count(orgId),
    };
  }

  /** @throws AppError `idempotency_key_reused`, `idempotency_key_in_flight` */
  async replace({ orgId, limits, idempotency }: SetQuotasRequest): Promise<OrganizationQuotas> {
    const scope = { tenant: orgId, operation: setSemanticQuotas.subject };
    const own = limits.filter(({ name }) => (SEMANTIC_QUOTAS as readonly string[]).includes(name));
    await this.idempotency.run(scope, idempotency, async (tx) => {
      await this.limits.replace(orgId, own, tx);
      return {};
    });
    return this.of(orgId);
  }

  private async used(orgId: string): Promise<Record<SemanticQuota, number>> {
    const [row] = await this.unitOfWork.single(
      (manager) => manager.query<UseRow[]>(USE, [orgId]),
      ROWS_OF_ALL,
    );
    return {
      sets: row?.sets ?? 0,
      categories_per_set: await this.categories.mostInASet(orgId),
      model_calls_per_day: row?.calls ?? 0,
      model_tokens_per_day: row?.tokens ?? 0,
    };
  }
}
