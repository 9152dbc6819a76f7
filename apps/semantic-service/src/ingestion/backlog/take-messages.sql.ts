import { sql } from '@loci/persistence';
import { SCHEMA } from '../../database.js';
import { NEW_MESSAGES } from './given-messages.js';

/** How many of the new rows were counted before. */
const COUNTED = 'CASE WHEN $2::boolean THEN least(job.deferred, excluded.waiting) ELSE 0 END';

/**
 * Jobs are locked in the order of their uids, so that two transactions cannot wait for each other. Parameters: the messages
 * as JSON, whether they may have been deferred. What was deferred has waited long enough, and is due once all of it is here:
 * a call for each part would cost more.
 */
export const TAKE_MESSAGES = sql({
  name: 'backlog_take',
  text: `
WITH ${NEW_MESSAGES}, added AS (
  INSERT INTO ${SCHEMA}.ingestion_messages
    (set_uid, episode_uid, org_id, project_id, project_uid, said_at, added_at, received_at, traceparents, taken_at,
     done_at)
  SELECT set_uid, episode_uid, org_id, project_id, project_uid, said_at, added_at, received_at, traceparents,
         CASE WHEN is_done THEN now() END, CASE WHEN is_done THEN now() END
  FROM given ORDER BY set_uid, episode_uid
  ON CONFLICT DO NOTHING
  RETURNING set_uid, received_at, done_at
), counted AS (
  SELECT set_uid, count(*) FILTER (WHERE done_at IS NULL)::int AS fresh,
         min(received_at) FILTER (WHERE done_at IS NULL) AS fresh_since
  FROM added GROUP BY set_uid
)
INSERT INTO ${SCHEMA}.ingestion_jobs AS job (set_uid, org_id, project_uid, waiting, fresh, fresh_since)
SELECT set_uid, org_id, project_uid, fresh, fresh, fresh_since FROM counted JOIN owners USING (set_uid)
ORDER BY set_uid
ON CONFLICT (set_uid) DO UPDATE
SET waiting = job.waiting + excluded.waiting - ${COUNTED},
    fresh = greatest(job.fresh - ${COUNTED}, 0) + excluded.fresh,
    fresh_since = CASE WHEN ${COUNTED} = 0 THEN least(job.fresh_since, excluded.fresh_since)
                       WHEN ${COUNTED} = job.deferred THEN '-infinity' ELSE now() END,
    deferred = job.deferred - ${COUNTED},
    deferred_since = CASE WHEN job.deferred > ${COUNTED} THEN job.deferred_since END, changed_at = now()
RETURNING set_uid`,
  row: { set_uid: 'uuid' },
});
