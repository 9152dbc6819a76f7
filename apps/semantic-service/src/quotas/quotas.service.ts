import {
  type OrganizationQuotas,
  SEMANTIC_QUOTAS,
  type SemanticQuota,
  setSemanticQuotas,
  type SetQuotasRequest,
} from '@loci/contracts';
import { Idempotency, QuotaLimits, ROWS_OF_ALL, UnitOfWork } from '@loci/persistence';
import { requireUnbound } from '@loci/platform';
import { Injectable } from '@nestjs/common';
import { CategoryQuota } from '../categories/category-quota.js';
import { SemanticServiceEnv } from '../env.js';
import { MessagesWithoutSet } from '../ingestion/backlog/messages-without-set.js';
import { defaultQuotas } from './default-quotas.js';
import { QUOTA_USE } from './quota-use.sql.js';

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

  /** @throws AppError `producer_not_allowed`, `idempotency_key_reused`, `idempotency_key_in_flight` */
  async replace({ orgId, limits, idempotency }: SetQuotasRequest): Promise<OrganizationQuotas> {
    requireUnbound('set quotas');
    const scope = { tenant: orgId, operation: setSemanticQuotas.subject };
    const own = limits.filter(({ name }) => (SEMANTIC_QUOTAS as readonly string[]).includes(name));
    await this.idempotency.run(scope, idempotency, async (tx) => {
      await this.limits.replace(orgId, own, tx);
      return {};
    });
    return this.of(orgId);
  }

  private async used(orgId: string): Promise<Record<SemanticQuota, number>> {
    const [row] = await this.unitOfWork.execute(QUOTA_USE, [orgId], { scope: ROWS_OF_ALL });
    return {
      sets: row?.sets ?? 0,
      set_types: row?.set_types ?? 0,
      categories_per_set: await this.categories.mostInASet(orgId),
      model_calls_per_day: row?.calls ?? 0,
      model_tokens_per_day: row?.tokens ?? 0,
      model_cost_per_day: row?.cost ?? 0,
    };
  }
}
