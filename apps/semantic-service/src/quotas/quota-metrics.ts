import { ROWS_OF_ALL, UnitOfWork } from '@loci/persistence';
import { Metrics } from '@loci/platform';
import { Injectable } from '@nestjs/common';
import { SemanticServiceEnv } from '../env.js';
import { defaultQuotas } from './default-quotas.js';
import { COUNTED_QUOTAS, largestShare } from './largest-share.sql.js';

/** How near organizations are to their quotas, asked of the database at each scrape. */
@Injectable()
export class QuotaMetrics {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    env: SemanticServiceEnv,
    metrics: Metrics,
  ) {
    const defaults = defaultQuotas(env);
    metrics.gauge(
      'loci_quota_use_ratio',
      'The largest share of its quota that an organization uses; 1 = used up.',
      ['quota'],
      async (gauge) => {
        for (const quota of COUNTED_QUOTAS) {
          const share = this.largestShare(quota, defaults[quota]);
          gauge.set({ quota }, await share.catch(() => Number.NaN));
        }
      },
    );
  }

  private async largestShare(quota: (typeof COUNTED_QUOTAS)[number], limit: number): Promise<number> {
    const statement = largestShare(quota);
    const [row] = await this.unitOfWork.execute(statement, [limit, quota], { scope: ROWS_OF_ALL });
    return row?.share ?? 0;
  }
}
