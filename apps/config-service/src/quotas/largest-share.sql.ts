import { type ConfigQuota } from '@loci/contracts';
import { sql } from '@loci/persistence';
import { SCHEMA } from '../database.js';
import { COUNTED } from './counted-rows.js';

/** Parameters: the default, the name of the quota. */
export const largestShare = (name: ConfigQuota) =>
  sql({
    text: `
SELECT max(used / greatest(coalesce(own.max, $1), 1))::float8 AS share
FROM (SELECT org_id, count(*)::float8 AS used FROM ${COUNTED[name]} GROUP BY org_id) AS counted
LEFT JOIN ${SCHEMA}.quota_limits AS own ON own.org_id = counted.org_id AND own.quota = $2`,
    row: { share: 'float8?' },
  });
