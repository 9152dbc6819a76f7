import { quotaExceeded } from '@loci/contracts';
import { QuotaLimits, quotaRefusals, ROWS_OF_ALL, type Transaction, UnitOfWork } from '@loci/persistence';
import { Metrics } from '@loci/platform';
import { Injectable } from '@nestjs/common';
import { SemanticServiceEnv } from '../env.js';
import { type Category } from './category.js';
import { MOST_CATEGORIES } from './most-categories.sql.js';

/** How many categories one set may have, those that it inherits included: each costs a call of a model per message. */
@Injectable()
export class CategoryQuota {
  private readonly refusals;

  constructor(
    private readonly limits: QuotaLimits,
    private readonly unitOfWork: UnitOfWork,
    private readonly env: SemanticServiceEnv,
    metrics: Metrics,
  ) {
    this.refusals = quotaRefusals(metrics);
  }

  /** Before categories of the organization are added: no other transaction adds any until this one ends. */
  lock(orgId: string, tx: Transaction): Promise<void> {
    return this.limits.lock(orgId, tx);
  }

  /** After one was added. @throws AppError `quota_exceeded` when that was one too many */
  async check(orgId: string, location: Category['parent'], tx: Transaction): Promise<void> {
    const limit =
      (await this.limits.of(orgId, tx)).get('categories_per_set') ?? this.env.QUOTA_CATEGORIES_PER_SET;
    const [setUid, typeUid] = 'setUid' in location ? [location.setUid, null] : [null, location.setTypeUid];
    const most = await this.most([orgId, setUid, typeUid], tx);
    if (most <= limit) return;
    this.refusals.inc({ quota: 'categories_per_set' });
    throw quotaExceeded(orgId, { name: 'categories_per_set', limit, used: most - 1 });
  }

  /** Of the set of the organization that has most. */
  mostInASet(orgId: string): Promise<number> {
    return this.most([orgId, null, null]);
  }

  /** Of all projects of the organization. */
  private async most(parameters: readonly (string | null)[], tx?: Transaction): Promise<number> {
    const [row] = await this.unitOfWork.execute(MOST_CATEGORIES, parameters, { tx, scope: ROWS_OF_ALL });
    return row?.most ?? 0;
  }
}
