import { sql } from '@loci/persistence';
import { SCHEMA } from '../../database.js';

/** Those whose time is over, but for rows that another process removes. Parameter: how many at most. */
export const EXPIRE_MODEL_CALLS = sql({
  name: 'expire_model_calls',
  text: `WITH expired AS (
           DELETE FROM ${SCHEMA}.model_calls WHERE uid IN (
             SELECT uid FROM ${SCHEMA}.model_calls WHERE expires_at <= now()
             ORDER BY expires_at LIMIT $1 FOR UPDATE SKIP LOCKED) RETURNING 1)
         SELECT count(*)::int AS removed FROM expired`,
  row: { removed: 'int4' },
});
