import { SCHEMA } from '../../database.js';

/** A query for a WITH: messages with the sets that they are for, but for those that are known to be deleted. Parameter 1: these, as JSON. */
export const GIVEN_MESSAGES = `
given AS (
  SELECT * FROM jsonb_to_recordset($1::jsonb) AS given(
    set_uid uuid, is_org_level boolean, episode_uid uuid, org_id text, project_id text, project_uid uuid,
    said_at timestamptz, added_at timestamptz, received_at timestamptz, traceparents text[], is_done boolean)
  WHERE NOT EXISTS (
    SELECT FROM ${SCHEMA}.deleted_episodes WHERE uid = episode_uid AND given.added_at <= added_until)
), owners AS (
  SELECT DISTINCT set_uid, org_id, CASE WHEN is_org_level THEN NULL ELSE project_uid END AS project_uid FROM given
)`;
