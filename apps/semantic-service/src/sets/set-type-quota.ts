import { quotaExceeded } from '@loci/contracts';
import { QuotaLimits, quotaRefusals, ROWS_OF_ALL, type Transaction, UnitOfWork } from '@loci/persistence';
import { Metrics } from '@loci/platform';
import { Injectable } from '@nestjs/common';
import { SemanticServiceEnv } from '../env.js';
import { COUNT_SET_TYPES } from './count-set-types.sql.js';
import { type SetType } from './set.js';
import { SetsRepository } from './sets.repository.js';

/** How many set types one organization may have, in all projects together: each is compared with every message. */
@Injectable()
export class SetTypeQuota {
  private readonly refusals;

  constructor(
    private readonly sets: SetsRepository,
    private readonly limits: QuotaLimits,
    private readonly unitOfWork: UnitOfWork,
    private readonly env: SemanticServiceEnv,
    metrics: Metrics,
  ) {
    this.refusals = quotaRefusals(metrics);
  }

  /**
   * Adds the type unless there is one of the same owner and tags.
   * @returns the uid of the one that is there
   * @throws AppError `quota_exceeded` when that is one too many
   */
  async add(type: SetType, tx: Transaction): Promise<string> {
    const { orgId } = type;
    await this.limits.lock(orgId, tx);
    const uid = await this.sets.addType(type, tx);
    if (uid !== type.uid) return uid;
    const limit = (await this.limits.of(orgId, tx)).get('set_types') ?? this.env.QUOTA_SET_TYPES;
    const used = await this.usedBy(orgId, tx);
    if (used <= limit) return uid;
    this.refusals.inc({ quota: 'set_types' });
    throw quotaExceeded(orgId, { name: 'set_types', limit, used: used - 1 });
  }

  private async usedBy(orgId: string, tx: Transaction): Promise<number> {
    const [row] = await this.unitOfWork.execute(COUNT_SET_TYPES, [orgId], { tx, scope: ROWS_OF_ALL });
    return row?.used ?? 0;
  }
}
