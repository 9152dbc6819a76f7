import { sql } from '@loci/persistence';
import { SCHEMA } from '../../database.js';

const JOBS = `${SCHEMA}.ingestion_jobs`;

/** Jobs that are looked at, of those that are being worked on. */
const MOST_JOBS = 5_000;

/** Whether messages are deferred, and whether workers have more than enough to do. Parameter: how many rows are enough. */
export const DEFERRED_STATE = sql({
  name: 'backlog_deferred',
  text: `
SELECT EXISTS (SELECT FROM ${JOBS} WHERE deferred > 0) AS is_any,
       (SELECT coalesce(sum(waiting - deferred), 0) >= $1 FROM (
          SELECT waiting, deferred FROM ${JOBS} WHERE state IN ('due', 'running') LIMIT ${MOST_JOBS}) AS active) AS is_crowded`,
  row: { is_any: 'bool', is_crowded: 'bool' },
});

/**
 * Once the order of adding has been followed to its end: what is still counted was deleted, or was counted twice. Parameters:
 * ms for which the jobs have not changed, how many at most.
 */
export const CLEAR_DEFERRED = sql({
  name: 'backlog_clear_deferred',
  text: `
WITH counted AS (
  SELECT set_uid FROM ${JOBS} WHERE deferred > 0 AND changed_at < now() - $1::float8 * interval '1 ms'
  ORDER BY set_uid LIMIT $2 FOR UPDATE SKIP LOCKED)
UPDATE ${JOBS} AS job
SET waiting = waiting - deferred, fresh = least(fresh, waiting - deferred), deferred = 0, deferred_since = NULL,
    fresh_since = CASE WHEN least(fresh, waiting - deferred) > 0 THEN '-infinity'::timestamptz END
FROM counted WHERE job.set_uid = counted.set_uid`,
});
