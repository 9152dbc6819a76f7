import { type SemanticQuota } from '@loci/contracts';
import { sql } from '@loci/persistence';
import { SCHEMA } from '../database.js';

const TODAY = `${SCHEMA}.model_quota_use WHERE day = (now() AT TIME ZONE 'UTC')::date`;

/** Quotas whose use is in a table that holds a row for each organization. */
export const COUNTED_QUOTAS = [
  'sets',
  'set_types',
  'model_calls_per_day',
  'model_tokens_per_day',
  'model_cost_per_day',
] as const satisfies readonly SemanticQuota[];

const USED: Readonly<Record<(typeof COUNTED_QUOTAS)[number], string>> = {
  sets: `SELECT org_id, sets::float8 AS used FROM ${SCHEMA}.set_counts`,
  set_types: `SELECT org_id, count(*)::float8 AS used FROM ${SCHEMA}.set_types GROUP BY org_id`,
  model_calls_per_day: `SELECT org_id, calls::float8 AS used FROM ${TODAY}`,
  model_tokens_per_day: `SELECT org_id, tokens::float8 AS used FROM ${TODAY}`,
  model_cost_per_day: `SELECT org_id, cost::float8 AS used FROM ${TODAY}`,
};

/** Parameters: the default, the name of the quota. */
export const largestShare = (quota: (typeof COUNTED_QUOTAS)[number]) =>
  sql({
    text: `SELECT max(used / greatest(coalesce(own.max, $1), 1))::float8 AS share FROM (${USED[quota]}) AS counted
           LEFT JOIN ${SCHEMA}.quota_limits AS own ON own.org_id = counted.org_id AND own.quota = $2`,
    row: { share: 'float8?' },
  });
