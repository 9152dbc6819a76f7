import { SEMANTIC_QUOTAS } from '@loci/contracts';
import { ROWS_OF_ALL, UnitOfWork } from '@loci/persistence';
import { Metrics } from '@loci/platform';
import { Injectable } from '@nestjs/common';
import { SCHEMA } from '../database.js';
import { SemanticServiceEnv } from '../env.js';
import { defaultQuotas } from './default-quotas.js';

/** Of each quota: what organizations use, from tables that hold a row for each organization. */
const USED = {
  sets: `SELECT org_id, sets::float8 AS used FROM ${SCHEMA}.set_counts`,
  categories_per_set: undefined,
  model_calls_per_day: `SELECT org_id, calls::float8 AS used FROM ${SCHEMA}.model_quota_use WHERE day = (now() AT TIME ZONE 'UTC')::date`,
  model_tokens_per_day: `SELECT org_id, tokens::float8 AS used FROM ${SCHEMA}.model_quota_use WHERE day = (now() AT TIME ZONE 'UTC')::date`,
} as const;

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
        for (const quota of SEMANTIC_QUOTAS) {
          const used = USED[quota];
          if (!used) continue;
          const share = this.largestShare(used, [defaults[quota], quota]);
          gauge.set({ quota }, await share.catch(() => Number.NaN));
        }
      },
    );
  }

  private async largestShare(used: string, parameters: [number, string]): Promise<number> {
    const [row] = await this.unitOfWork.single(
      (manager) =>
        manager.query<{ share: number | null }[]>(
          `SELECT max(used / greatest(coalesce(own.max, $1), 1))::float8 AS share FROM (${used}) AS counted
           LEFT JOIN ${SCHEMA}.quota_limits AS own ON own.org_id = counted.org_id AND own.quota = $2`,
          parameters,
        ),
      ROWS_OF_ALL,
    );
    return row?.share ?? 0;
  }
}
