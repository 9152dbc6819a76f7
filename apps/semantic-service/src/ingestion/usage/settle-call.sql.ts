import { sql } from '@loci/persistence';
import { SCHEMA } from '../../database.js';

/** Parameters: organization, day, calls, tokens, cost. */
export const SETTLE_CALL = sql({
  name: 'model_quota_settle',
  text: `UPDATE ${SCHEMA}.model_quota_use SET calls = calls + $3::bigint - 1, tokens = tokens + $4::bigint, cost = cost + $5::numeric
         WHERE org_id = $1 AND day = $2::date`,
});
