import { type ConfigQuota } from '@loci/contracts';
import { ROWS_OF_ALL, scopedManager, type Transaction, UnitOfWork } from '@loci/persistence';
import { Injectable } from '@nestjs/common';
import { SCHEMA } from '../database.js';

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

/** What organizations use of their quotas. */
@Injectable()
export class QuotaUseRepository {
  constructor(private readonly unitOfWork: UnitOfWork) {}

  async usedBy(orgId: string, name: ConfigQuota, tx?: Transaction): Promise<number> {
    const sql = `SELECT count(*)::int AS used FROM ${COUNTED[name]} AND org_id = $1`;
    const [row] = await this.query<{ used: number }>(sql, [orgId], tx);
    return row?.used ?? 0;
  }

  /** Of the organization that uses most of its quota; 1 = all of it. @param limit the default */
  async largestShare(name: ConfigQuota, limit: number): Promise<number> {
    const [row] = await this.query<{ share: number | null }>(largestShare(name), [limit, name]);
    return row?.share ?? 0;
  }

  private async query<Row>(sql: string, parameters: unknown[], tx?: Transaction): Promise<Row[]> {
    if (tx) return (await scopedManager(tx, ROWS_OF_ALL)).query<Row[]>(sql, parameters);
    return this.unitOfWork.single((manager) => manager.query<Row[]>(sql, parameters), ROWS_OF_ALL);
  }
}
