import { type QuotaLimit, type QuotaName } from '@loci/contracts';
import { Inject, Injectable } from '@nestjs/common';
import { PERSISTENCE_OPTIONS, type PersistenceOptions } from '../database/persistence-options.js';
import { qualified } from '../statements/qualified-name.js';
import { entityManager, type Transaction } from '../database/transaction.js';
import { UnitOfWork } from '../database/unit-of-work.js';
import { scopedManager } from '../database/connection-scope.js';
import { ROWS_OF_ALL } from '../row-security/row-security.js';

/** The limits of one organization, as far as they differ from the defaults. */
export type OwnLimits = ReadonlyMap<QuotaName, number>;

/**
 * Quotas of organizations in the schema of the service that enforces them. A process that creates what is counted takes
 * the lock of the organization, counts, and creates, in one transaction: two at the same time cannot exceed the quota.
 */
@Injectable()
export class QuotaLimits {
  private readonly table: string;

  constructor(
    @Inject(PERSISTENCE_OPTIONS) private readonly options: Pick<PersistenceOptions, 'schema'>,
    private readonly unitOfWork: UnitOfWork,
  ) {
    this.table = qualified(options.schema, 'quota_limits');
  }

  /** Until the transaction ends, no other one of this schema has the lock of the organization. */
  async lock(orgId: string, tx: Transaction): Promise<void> {
    await entityManager(tx).query('SELECT pg_advisory_xact_lock(hashtextextended($1, 100))', [
      JSON.stringify([this.options.schema, orgId]),
    ]);
  }

  async of(orgId: string, tx?: Transaction): Promise<OwnLimits> {
    const sql = `SELECT quota, max FROM ${this.table} WHERE org_id = $1`;
    const rows = tx
      ? await (await scopedManager(tx, ROWS_OF_ALL)).query<LimitRow[]>(sql, [orgId])
      : await this.unitOfWork.single((manager) => manager.query<LimitRow[]>(sql, [orgId]), ROWS_OF_ALL);
    return new Map(rows.map(({ quota, max }) => [quota, Number(max)]));
  }

  /** The organization has these limits from the commit on, and no others. */
  async replace(orgId: string, limits: readonly QuotaLimit[], tx: Transaction): Promise<void> {
    const manager = await scopedManager(tx, ROWS_OF_ALL);
    await manager.query(`DELETE FROM ${this.table} WHERE org_id = $1`, [orgId]);
    for (const { name, limit } of limits) {
      await manager.query(
        `INSERT INTO ${this.table} (org_id, quota, max) VALUES ($1, $2, $3)
         ON CONFLICT (org_id, quota) DO UPDATE SET max = excluded.max, changed_at = now()`,
        [orgId, name, limit],
      );
    }
  }
}

interface LimitRow {
  readonly quota: QuotaName;
  /** A bigint, which the driver gives as text. */
  readonly max: string;
}
