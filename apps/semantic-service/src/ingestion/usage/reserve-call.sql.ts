import { sql } from '@loci/persistence';
import { SCHEMA } from '../../database.js';
import { LIMITS } from './quota-limits.js';
import { TODAY } from './today.js';

/**
 * One row of an organization and day, so that callers at the same time cannot both take the last call. Parameters as of
 * `LIMITS`. No row when a quota is used up.
 */
export const RESERVE_CALL = sql({
  name: 'model_quota_reserve',
  text: `
WITH limits AS MATERIALIZED (${LIMITS})
INSERT INTO ${SCHEMA}.model_quota_use AS used (org_id, day, calls, tokens)
SELECT $1, ${TODAY}, 1, 0 FROM limits WHERE max_calls > 0 AND max_tokens > 0 AND max_cost > 0
ON CONFLICT (org_id, day) DO UPDATE SET calls = used.calls + 1
WHERE used.calls < (SELECT max_calls FROM limits) AND used.tokens < (SELECT max_tokens FROM limits)
  AND used.cost < (SELECT max_cost FROM limits)
RETURNING day::text AS day`,
  row: { day: 'text' },
});
