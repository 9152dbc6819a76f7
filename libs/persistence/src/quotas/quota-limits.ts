import { type QuotaLimit, type QuotaName } from '@loci/contracts';
import { Inject, Injectable } from '@nestjs/common';
import { type EntityManager } from 'typeorm';
import { PERSISTENCE_OPTIONS, type PersistenceOptions } from '../database/persistence-options.js';
import { entityManager, type Transaction } from '../database/transaction.js';
import { UnitOfWork } from '../database/unit-of-work.js';
import { scopedManager } from '../database/connection-scope.js';
import { lockName } from '../locks/lock-name.js';
import { ROWS_OF_ALL } from '../statements/row-scope.js';
import { QuotaLimitEntity } from './quota-limit.entity.js';

/** The limits of one organization, as far as they differ from the defaults. */
export type OwnLimits = ReadonlyMap<QuotaName, number>;

/** Keeps these locks apart from others. */
const LOCK_SEED = 100;

/**
 * Quotas of organizations in the schema of the service that enforces them. A process that creates what is counted takes
 * the lock of the organization, counts, and creates, in one transaction: two at the same time cannot exceed the quota.
 */
@Injectable()
export class QuotaLimits {
  constructor(
    @Inject(PERSISTENCE_OPTIONS) private readonly options: Pick<PersistenceOptions, 'schema'>,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /**
   * Until the transaction ends, no other one of this schema has the lock of the organization.
   * @param counted what has a lock of its own, for which nothing that takes long waits
   */
  async lock(orgId: string, tx: Transaction, counted?: QuotaName): Promise<void> {
    const name = [this.options.schema, orgId, ...(counted ? [counted] : [])];
    await lockName(entityManager(tx), JSON.stringify(name), LOCK_SEED);
  }

  async of(orgId: string, tx?: Transaction): Promise<OwnLimits> {
    const find = (manager: EntityManager): Promise<QuotaLimitEntity[]> =>
      manager.findBy(QuotaLimitEntity, { orgId });
    const rows = tx
      ? await find(await scopedManager(tx, ROWS_OF_ALL))
      : await this.unitOfWork.single(find, ROWS_OF_ALL);
    return new Map(rows.map(({ quota, max }) => [quota, Number(max)]));
  }

  /** The organization has these limits from the commit on, and no others. */
  async replace(orgId: string, limits: readonly QuotaLimit[], tx: Transaction): Promise<void> {
    const manager = await scopedManager(tx, ROWS_OF_ALL);
    await manager.delete(QuotaLimitEntity, { orgId });
    const rows = new Map(limits.map(({ name, limit }) => [name, { orgId, quota: name, max: String(limit) }]));
    if (rows.size > 0) await manager.insert(QuotaLimitEntity, [...rows.values()]);
  }
}
