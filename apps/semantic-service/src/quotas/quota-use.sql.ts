import { sql } from '@loci/persistence';
import { SCHEMA } from '../database.js';

/** Parameter: the organization. */
export const QUOTA_USE = sql({
  text: `
SELECT coalesce((SELECT sets FROM ${SCHEMA}.set_counts WHERE org_id = $1), 0)::float8 AS sets,
       (SELECT count(*) FROM ${SCHEMA}.set_types WHERE org_id = $1)::float8 AS set_types,
       coalesce(today.calls, 0)::float8 AS calls, coalesce(today.tokens, 0)::float8 AS tokens,
       floor(coalesce(today.cost, 0))::float8 AS cost
FROM (SELECT 1) AS always
LEFT JOIN ${SCHEMA}.model_quota_use AS today ON today.org_id = $1 AND day = (now() AT TIME ZONE 'UTC')::date`,
  row: { sets: 'float8', set_types: 'float8', calls: 'float8', tokens: 'float8', cost: 'float8' },
});
