import { type ConfigQuota } from '@loci/contracts';
import { ROWS_OF_ALL, rowsOf, type Transaction, UnitOfWork } from '@loci/persistence';
import { Injectable } from '@nestjs/common';
import { countUsed } from './count-used.sql.js';
import { largestShare } from './largest-share.sql.js';

/** What organizations use of their quotas. */
@Injectable()
export class QuotaUseRepository {
  constructor(private readonly unitOfWork: UnitOfWork) {}

  async usedBy(orgId: string, name: ConfigQuota, tx?: Transaction): Promise<number> {
    const [row] = await this.unitOfWork.execute(countUsed(name), [orgId], { tx, scope: rowsOf(orgId) });
    return row?.used ?? 0;
  }

  /** Of the organization that uses most of its quota; 1 = all of it. @param limit the default */
  async largestShare(name: ConfigQuota, limit: number): Promise<number> {
    const [row] = await this.unitOfWork.execute(largestShare(name), [limit, name], { scope: ROWS_OF_ALL });
    return row?.share ?? 0;
  }
}
