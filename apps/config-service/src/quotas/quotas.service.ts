import {
  CONFIG_QUOTAS,
  type ConfigQuota,
  type OrganizationQuotas,
  quotaExceeded,
  type QuotaUse,
  setConfigQuotas,
  type SetQuotasRequest,
} from '@loci/contracts';
import {
  Idempotency,
  QuotaLimits,
  ROWS_OF_ALL,
  scopedManager,
  type Transaction,
  UnitOfWork,
} from '@loci/persistence';
import { Metrics } from '@loci/platform';
import { Injectable } from '@nestjs/common';
import { type EntityManager } from 'typeorm';
import { SCHEMA } from '../database.js';
import { ConfigServiceEnv } from '../env.js';

/** The rows that count; both tables have an index that begins with the organization. */
const COUNTED: Readonly<Record<ConfigQuota, string>> = {
  projects: `${SCHEMA}.projects WHERE org_id IS NOT NULL`,
  keys: `${SCHEMA}.api_keys WHERE org_id IS NOT NULL AND revoked_at IS NULL
         AND (expires_at IS NULL OR expires_at > now())`,
};

/** Parameters: the default, the name of the quota. */
const largestShare = (name: ConfigQuota): string => `
SELECT max(used / greatest(coalesce(own.max, $1), 1))::float8 AS share
FROM (SELECT org_id, count(*)::float8 AS used FROM ${COUNTED[name]} GROUP BY org_id) AS counted
LEFT JOIN ${SCHEMA}.quota_limits AS own ON own.org_id = counted.org_id AND own.quota = $2`;

/** How many projects and keys an organization may have. */
@Injectable()
export class QuotasService {
  private readonly refusals;

  constructor(
    private readonly limits: QuotaLimits,
    private readonly idempotency: Idempotency,
    private readonly unitOfWork: UnitOfWork,
    private readonly env: ConfigServiceEnv,
    metrics: Metrics,
  ) {
    this.refusals = metrics.counter(
      'loci_quota_refusals_total',
      'Creations refused because an organization had used up its quota.',
      ['quota'],
    );
    metrics.gauge(
      'loci_quota_use_ratio',
      'The largest share of its quota that an organization uses; 1 = used up.',
      ['quota'],
      async (gauge) => {
        for (const name of CONFIG_QUOTAS) {
          gauge.set({ quota: name }, await this.largestShare(name).catch(() => Number.NaN));
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
    const manager = await scopedManager(tx, ROWS_OF_ALL);
    const before = await usedIn(manager, name, orgId);
    const added = await add();
    const limit = (await this.limits.of(orgId, tx)).get(name) ?? this.defaultOf(name);
    const after = await usedIn(await scopedManager(tx, ROWS_OF_ALL), name, orgId);
    if (after === before || after <= limit) return added;
    this.refusals.inc({ quota: name });
    throw quotaExceeded(orgId, { name, limit, used: before });
  }

  async of(orgId: string): Promise<OrganizationQuotas> {
    const own = await this.limits.of(orgId);
    const useOf = async (name: ConfigQuota): Promise<QuotaUse> => ({
      name,
      limit: own.get(name) ?? this.defaultOf(name),
      used: await this.unitOfWork.single((manager) => usedIn(manager, name, orgId), ROWS_OF_ALL),
      isDefault: !own.has(name),
    });
    return { quotas: await Promise.all(CONFIG_QUOTAS.map(useOf)) };
  }

  /** @throws AppError `idempotency_key_reused`, `idempotency_key_in_flight` */
  async replace({ orgId, limits, idempotency }: SetQuotasRequest): Promise<OrganizationQuotas> {
    const scope = { tenant: orgId, operation: setConfigQuotas.subject };
    const own = limits.filter(({ name }) => (CONFIG_QUOTAS as readonly string[]).includes(name));
    await this.idempotency.run(scope, idempotency, async (tx) => {
      await this.limits.replace(orgId, own, tx);
      return {};
    });
    return this.of(orgId);
  }

  private defaultOf(name: ConfigQuota): number {
    return { projects: this.env.QUOTA_PROJECTS, keys: this.env.QUOTA_KEYS }[name];
  }

  private async largestShare(name: ConfigQuota): Promise<number> {
    const [row] = await this.unitOfWork.single(
      (manager) =>
        manager.query<{ share: number | null }[]>(largestShare(name), [this.defaultOf(name), name]),
      ROWS_OF_ALL,
    );
    return row?.share ?? 0;
  }
}

async function usedIn(manager: EntityManager, name: ConfigQuota, orgId: string): Promise<number> {
  const sql = `SELECT count(*)::int AS used FROM ${COUNTED[name]} AND org_id = $1`;
  const [row] = await manager.query<{ used: number }[]>(sql, [orgId]);
  return row?.used ?? 0;
}
