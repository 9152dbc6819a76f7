import { sql } from '@loci/persistence';
import { SCHEMA } from '../../database.js';
import { LIMITS } from './quota-limits.js';
import { TODAY } from './today.js';

/** What an organization may use of today, and how many seconds are left of it. Parameters as of `LIMITS`. */
export const QUOTA_USE = sql({
  text: `
WITH limits AS (${LIMITS})
SELECT max_calls, max_tokens, max_cost, coalesce(used.calls, 0) < max_calls AS has_calls,
       coalesce(used.tokens, 0) < max_tokens AS has_tokens,
       extract(epoch FROM ${TODAY} + 1 - now() AT TIME ZONE 'UTC')::int AS left
FROM limits LEFT JOIN ${SCHEMA}.model_quota_use AS used ON org_id = $1 AND day = ${TODAY}`,
  row: {
    max_calls: 'int8',
    max_tokens: 'int8',
    max_cost: 'int8',
    has_calls: 'bool',
    has_tokens: 'bool',
    left: 'int4',
  },
});
