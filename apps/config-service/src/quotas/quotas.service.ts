import {
  CONFIG_QUOTAS,
  type ConfigQuota,
  type OrganizationQuotas,
  quotaExceeded,
  type QuotaUse,
  setConfigQuotas,
  type SetQuotasRequest,
} from '@loci/contracts';
import { Idempotency, QuotaLimits, quotaRefusals, type Transaction } from '@loci/persistence';
import { Metrics, requireUnbound } from '@loci/platform';
import { Injectable } from '@nestjs/common';
import { ConfigServiceEnv } from '../env.js';
import { LookAlikeNames } from '../names/look-alike-names.js';
import { QuotaUseRepository } from './quota-use.repository.js';

/** How many projects, keys and webhooks an organization may have. */
@Injectable()
export class QuotasService {
  private readonly refusals;

  constructor(
    private readonly limits: QuotaLimits,
    private readonly idempotency: Idempotency,
    private readonly use: QuotaUseRepository,
    private readonly lookAlikes: LookAlikeNames,
    private readonly env: ConfigServiceEnv,
    metrics: Metrics,
  ) {
    this.refusals = quotaRefusals(metrics);
    const share = (name: ConfigQuota): Promise<number> => use.largestShare(name, this.defaultOf(name));
    metrics.gauge(
      'loci_quota_use_ratio',
      'The largest share of its quota that an organization uses; 1 = used up.',
      ['quota'],
      async (gauge) => {
        for (const name of CONFIG_QUOTAS) {
          gauge.set({ quota: name }, await share(name).catch(() => Number.NaN));
        }
      },
    );
  }

  /**
   * Adds something that counts, unless the organization has as many as it may have.
   * @param orgId undefined for what belongs to no organization, which has no quota
   * @param add what it stored is undone when there is no room
   * @throws AppError `quota_exceeded`, and what `add` throws
   */
  async within<Added>(
    name: ConfigQuota,
    orgId: string | undefined,
    tx: Transaction,
    add: () => Promise<Added>,
  ): Promise<Added> {
    if (orgId === undefined) return add();
    await this.limits.lock(orgId, tx);
    const before = await this.use.usedBy(orgId, name, tx);
    const added = await add();
    const limit = (await this.limits.of(orgId, tx)).get(name) ?? this.defaultOf(name);
    const after = await this.use.usedBy(orgId, name, tx);
    if (after === before || after <= limit) return added;
    this.refusals.inc({ quota: name });
    throw quotaExceeded(orgId, { name, limit, used: before });
  }

  async of(orgId: string): Promise<OrganizationQuotas> {
    const own = await this.limits.of(orgId);
    const useOf = async (name: ConfigQuota): Promise<QuotaUse> => ({
      name,
      limit: own.get(name) ?? this.defaultOf(name),
      used: await this.use.usedBy(orgId, name),
      isDefault: !own.has(name),
    });
    return { quotas: await Promise.all(CONFIG_QUOTAS.map(useOf)) };
  }

  /** @throws AppError `producer_not_allowed`, `name_confusable`, `idempotency_key_reused`, `idempotency_key_in_flight` */
  async replace({ orgId, limits, idempotency }: SetQuotasRequest): Promise<OrganizationQuotas> {
    requireUnbound('set quotas');
    const scope = { tenant: orgId, operation: setConfigQuotas.subject };
    const own = limits.filter(({ name }) => (CONFIG_QUOTAS as readonly string[]).includes(name));
    await this.idempotency.run(scope, idempotency, async (tx) => {
      // to have the defaults keeps nothing
      if (limits.length > 0) await this.lookAlikes.refuseKeeping(orgId, tx);
      await this.limits.replace(orgId, own, tx);
      return {};
    });
    return this.of(orgId);
  }

  private defaultOf(name: ConfigQuota): number {
    return {
      projects: this.env.QUOTA_PROJECTS,
      keys: this.env.QUOTA_KEYS,
      webhooks: this.env.QUOTA_WEBHOOKS,
    }[name];
  }
}
