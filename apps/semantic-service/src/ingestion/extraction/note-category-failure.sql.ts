import { sql } from '@loci/persistence';
import { SCHEMA } from '../../database.js';

/** Parameters: the set, the category, failures in a row, ms until it may be tried again, the code, the reason. */
export const NOTE_CATEGORY_FAILURE = sql({
  text: `INSERT INTO ${SCHEMA}.ingestion_failures (set_uid, category, failures, retry_at, code, reason)
         VALUES ($1, $2, $3, now() + $4::float8 * interval '1 ms', $5, $6)
         ON CONFLICT (set_uid, category) DO UPDATE
         SET failures = excluded.failures, retry_at = excluded.retry_at, code = excluded.code,
             reason = excluded.reason`,
});
