import { sql } from '@loci/persistence';
import { SCHEMA } from '../../database.js';
import { NEW_MESSAGES } from './given-messages.js';

/** Counts messages that have no row in their set, and makes none. Parameter: the messages as JSON. */
export const DEFER_MESSAGES = sql({
  name: 'backlog_defer',
  text: `
WITH ${NEW_MESSAGES}, counted AS (
  SELECT set_uid, count(DISTINCT episode_uid)::int AS messages, min(received_at) AS since FROM given
  WHERE NOT is_done AND NOT EXISTS (
    SELECT FROM ${SCHEMA}.ingestion_messages AS known
    WHERE known.set_uid = given.set_uid AND known.episode_uid = given.episode_uid)
  GROUP BY set_uid
)
INSERT INTO ${SCHEMA}.ingestion_jobs AS job
  (set_uid, org_id, project_uid, waiting, fresh, fresh_since, deferred, deferred_since)
SELECT set_uid, org_id, project_uid, messages, messages, since, messages, since FROM counted JOIN owners USING (set_uid)
ORDER BY set_uid
ON CONFLICT (set_uid) DO UPDATE
SET waiting = job.waiting + excluded.waiting, fresh = job.fresh + excluded.fresh,
    fresh_since = least(job.fresh_since, excluded.fresh_since), deferred = job.deferred + excluded.deferred,
    deferred_since = least(job.deferred_since, excluded.deferred_since), changed_at = now()
RETURNING set_uid`,
  row: { set_uid: 'uuid' },
});
