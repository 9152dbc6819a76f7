import { quotaExceeded } from '@loci/contracts';
import { QuotaLimits, ROWS_OF_ALL, scopedManager, type Transaction, UnitOfWork } from '@loci/persistence';
import { Metrics } from '@loci/platform';
import { Injectable } from '@nestjs/common';
import { type EntityManager } from 'typeorm';
import { SCHEMA } from '../database.js';
import { SemanticServiceEnv } from '../env.js';
import { type Category } from './category.js';
import { IS_OF_TYPE } from './category-rows.js';

/** Parameters: the organization; a set or null; a set type or null. A name that a set shares with its type counts once. */
const MOST_IN_A_SET = `
SELECT coalesce(max(categories), 0)::int AS most FROM (
  SELECT count(DISTINCT named.name) AS categories
  FROM (SELECT DISTINCT set_uid FROM ${SCHEMA}.categories
        WHERE org_id = $1 AND set_uid IS NOT NULL AND ($2::uuid IS NULL OR set_uid = $2)) AS own
  JOIN ${SCHEMA}.sets ON sets.uid = own.set_uid
  LEFT JOIN ${SCHEMA}.set_types ON ${IS_OF_TYPE}
  JOIN ${SCHEMA}.categories AS named ON named.set_uid = sets.uid OR named.set_type_uid = set_types.uid
  WHERE $3::uuid IS NULL OR set_types.uid = $3
  GROUP BY sets.uid
  UNION ALL
  SELECT count(*) FROM ${SCHEMA}.categories
  WHERE org_id = $1 AND $2::uuid IS NULL AND set_type_uid IS NOT NULL AND ($3::uuid IS NULL OR set_type_uid = $3)
  GROUP BY set_type_uid
) AS each_set`;

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
    this.refusals = metrics.counter(
      'loci_quota_refusals_total',
      'Creations refused because an organization had used up its quota.',
      ['quota'],
    );
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
    const most = await mostIn(await scopedManager(tx, ROWS_OF_ALL), [orgId, setUid, typeUid]);
    if (most <= limit) return;
    this.refusals.inc({ quota: 'categories_per_set' });
    throw quotaExceeded(orgId, { name: 'categories_per_set', limit, used: most - 1 });
  }

  /** Of the set of the organization that has most. */
  mostInASet(orgId: string): Promise<number> {
    return this.unitOfWork.single((manager) => mostIn(manager, [orgId, null, null]), ROWS_OF_ALL);
  }
}

async function mostIn(manager: EntityManager, parameters: (string | null)[]): Promise<number> {
  const [row] = await manager.query<{ most: number }[]>(MOST_IN_A_SET, parameters);
  return row?.most ?? 0;
}
