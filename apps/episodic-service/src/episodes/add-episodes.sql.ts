import { type PreparedStatement } from '@loci/persistence';
import { SCHEMA } from '../database.js';

/**
 * Stores a batch and its event in one statement: one round trip, one commit, all or nothing.
 * The lock on the project's row makes closing the project wait for writes that are under way, and them see it closed.
 * An agent that switched a half of memory off adds nothing to that half.
 *
 * Parameters: org, project, episodes (JSON), episodic?, semantic?, event id, event subject, event payload without
 * the project's uid, event headers. It answers one row when the project is open.
 */
export const ADD_EPISODES: PreparedStatement = {
  name: 'add_episodes',
  sql: `
WITH project AS (
  SELECT uid,
         $4::boolean AND enabled AND short_term_enabled AS in_short_term,
         $4::boolean AND enabled AND long_term_enabled AS in_long_term
  FROM ${SCHEMA}.projects
  WHERE org_id = $1 AND project_id = $2 AND state = 'open'
  FOR SHARE
), added AS (
  INSERT INTO ${SCHEMA}.episodes (uid, project_uid, content, producer_id, producer_role, produced_for_id, metadata,
                                  created_at, in_short_term, in_long_term, is_semantic)
  SELECT given.uid, project.uid, given.content, given.producer_id, given.producer_role, given.produced_for_id,
         given.metadata, coalesce(given.created_at, now()), project.in_short_term, project.in_long_term, $5::boolean
  FROM project, json_to_recordset($3::json) AS given(
    uid uuid, content text, producer_id text, producer_role text, produced_for_id text, metadata jsonb,
    created_at timestamptz)
), announced AS (
  INSERT INTO ${SCHEMA}.outbox (id, subject, payload, headers)
  SELECT $6::uuid, $7, $8::jsonb || jsonb_build_object('projectUid', project.uid), $9::jsonb
  FROM project
)
SELECT uid FROM project`,
};
