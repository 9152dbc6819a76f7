import { sql } from '@loci/persistence';
import { SCHEMA } from '../../database.js';

/** Jobs are locked in the order of their uids, so that two transactions cannot wait for each other. */
export const TAKE_MESSAGES = sql({
  name: 'backlog_take',
  text: `
WITH given AS (
  SELECT * FROM jsonb_to_recordset($1::jsonb) AS given(
    set_uid uuid, is_org_level boolean, episode_uid uuid, org_id text, project_id text, project_uid uuid,
    said_at timestamptz, added_at timestamptz, received_at timestamptz, traceparents text[], is_done boolean)
  WHERE NOT EXISTS (
    SELECT FROM ${SCHEMA}.deleted_episodes WHERE uid = episode_uid AND given.added_at <= added_until)
), added AS (
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
), owners AS (
  SELECT DISTINCT set_uid, org_id, CASE WHEN is_org_level THEN NULL ELSE project_uid END AS project_uid FROM given
)
INSERT INTO ${SCHEMA}.ingestion_jobs AS job (set_uid, org_id, project_uid, waiting, fresh, fresh_since)
SELECT set_uid, org_id, project_uid, fresh, fresh, fresh_since FROM counted JOIN owners USING (set_uid)
ORDER BY set_uid
ON CONFLICT (set_uid) DO UPDATE
SET waiting = job.waiting + excluded.waiting, fresh = job.fresh + excluded.fresh,
    fresh_since = least(job.fresh_since, excluded.fresh_since), changed_at = now()
RETURNING set_uid`,
  row: { set_uid: 'uuid' },
});
