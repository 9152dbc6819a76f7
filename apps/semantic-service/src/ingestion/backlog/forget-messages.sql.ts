import { sql } from '@loci/persistence';
import { SCHEMA } from '../../database.js';
import { jobsLockedFor } from './lock-jobs-of-messages.sql.js';

/** With what waits in the jobs of their sets. @param condition on messages, with its parameters */
export const forgetMessages = (condition: string) =>
  sql({
    text: `
WITH locked AS MATERIALIZED (${jobsLockedFor(condition)}
), gone AS (
  DELETE FROM ${SCHEMA}.ingestion_messages
  WHERE ${condition} AND set_uid IN (SELECT set_uid FROM locked)
  RETURNING set_uid, taken_at, done_at
), counted AS (
  SELECT set_uid, count(*) FILTER (WHERE done_at IS NULL)::int AS waiting,
         count(*) FILTER (WHERE done_at IS NULL AND taken_at IS NULL)::int AS fresh
  FROM gone GROUP BY set_uid
)
UPDATE ${SCHEMA}.ingestion_jobs AS job
SET waiting = job.waiting - counted.waiting, fresh = greatest(0, job.fresh - counted.fresh), changed_at = now(),
    fresh_since = CASE WHEN job.fresh > counted.fresh THEN job.fresh_since END
FROM counted WHERE job.set_uid = counted.set_uid`,
  });
