import { SCHEMA } from '../../database.js';
import { isFollowed, isWithoutSet } from './followed.js';

/** Queries for a WITH: messages with the sets that they are for, and whose these are. Parameter 1: the messages, as JSON. */
const given = (condition = 'true'): string => `
given AS (
  SELECT * FROM jsonb_to_recordset($1::jsonb) AS given(
    set_uid uuid, is_org_level boolean, episode_uid uuid, org_id text, project_id text, project_uid uuid,
    said_at timestamptz, added_at timestamptz, received_at timestamptz, traceparents text[], is_done boolean)
  WHERE NOT EXISTS (
    SELECT FROM ${SCHEMA}.deleted_episodes WHERE uid = episode_uid AND given.added_at <= added_until) AND ${condition}
), owners AS (
  SELECT DISTINCT set_uid, org_id, CASE WHEN is_org_level THEN NULL ELSE project_uid END AS project_uid FROM given
)`;

/** All but those that are known to be deleted. */
export const GIVEN_MESSAGES = given();

/** Nor those that have been taken in before, and may have lost their row since. */
export const NEW_MESSAGES = given(
  `(NOT ${isFollowed('given.added_at', 'given.episode_uid')} OR ${isWithoutSet('given.project_uid', 'given.episode_uid')})`,
);
