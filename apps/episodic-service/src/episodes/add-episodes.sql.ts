import { TRACE_LINKS } from '@loci/messaging';
import { narrowed, sql } from '@loci/persistence';
import { projectLockKey, SCHEMA } from '../database.js';

/**
 * Stores the adds of any number of clients with the events that announce them, one for each project, in one statement:
 * one round trip, one commit, all or nothing. A shared event belongs to the request of its first add and names the traces
 * of all. The locks on a project make closing it wait for writes that are under way, and those behind see
 * it closed; projects are locked in the sequence of their uids, so that two statements cannot wait for each other.
 * An agent that switched a half of memory off adds nothing to that half.
 *
 * Parameters: the adds as JSON (`AddRow[]`), the subject of the event,
 * whether the deployment has short-term memory, and long-term memory, and whether it waits for projects that another
 * transaction has locked. It answers what became of the adds whose project is open, by their positions; the others are not
 * stored.
 */
export const ADD_EPISODES = sql({
  name: 'add_episodes',
  text: `
WITH asked AS (
  SELECT * FROM json_to_recordset($1::json) AS asked(
    position int, org_id text, project_id text, author text, is_bound bool, types jsonb, episodes json, uids jsonb, event_id uuid,
    headers jsonb)
), named AS MATERIALIZED (
  SELECT uid, org_id, project_id FROM ${SCHEMA}.projects
  WHERE state = 'open' AND (org_id, project_id) IN (SELECT org_id, project_id FROM asked)
), queued AS MATERIALIZED (
  SELECT uid, org_id, project_id,
         CASE WHEN $5 THEN pg_advisory_xact_lock_shared(${projectLockKey('uid')}) IS NOT NULL
              ELSE pg_try_advisory_xact_lock_shared(${projectLockKey('uid')}) END AS is_joined
  FROM (SELECT * FROM named ORDER BY uid) AS in_order
), project AS (
  SELECT uid, org_id, project_id, enabled AND short_term_enabled AND $3 AS has_short_term,
         enabled AND long_term_enabled AND $4 AS has_long_term, nullif(ttl_seconds, 0) AS most_seconds
  FROM ${SCHEMA}.projects
  WHERE state = 'open' AND uid IN (SELECT uid FROM queued WHERE is_joined)
  ORDER BY uid
  FOR SHARE
), accepted AS (
  SELECT asked.*, project.uid AS project_uid, most_seconds, types ? 'episodic' AND has_short_term AS in_short_term,
         types ? 'episodic' AND has_long_term AS in_long_term
  FROM asked JOIN project USING (org_id, project_id)
), added AS (
  INSERT INTO ${SCHEMA}.episodes (uid, project_uid, content, producer_id, producer_role, produced_for_id, metadata,
                                  created_at, in_short_term, in_long_term, is_semantic, author, is_bound,
                                  expires_at, conversation)
  SELECT given.uid, project_uid, given.content, given.producer_id, given.producer_role, given.produced_for_id,
         given.metadata, coalesce(given.created_at, now()), in_short_term, in_long_term, types ? 'semantic', author, is_bound,
         now() + make_interval(secs => least(given.ttl_seconds, most_seconds)), conversation
  FROM accepted, json_to_recordset(accepted.episodes) AS given(
    uid uuid, content text, producer_id text, producer_role text, produced_for_id text, metadata jsonb,
    created_at timestamptz, ttl_seconds int, conversation uuid)
), announced AS (
  INSERT INTO ${SCHEMA}.outbox (id, subject, payload, headers)
  SELECT (array_agg(event_id ORDER BY position))[1], $2,
         jsonb_build_object('tenant', jsonb_build_object('orgId', org_id, 'projectId', project_id),
                            'projectUid', project_uid, 'types', types, 'uids', jsonb_agg(uid)),
         (array_agg(headers ORDER BY position))[1] ||
           jsonb_strip_nulls(jsonb_build_object('${TRACE_LINKS}', string_agg(DISTINCT headers ->> 'traceparent', ',')))
  FROM accepted, jsonb_array_elements(uids) AS uid
  GROUP BY org_id, project_id, project_uid, types
)
SELECT position, 'stored' AS outcome FROM accepted
UNION ALL
SELECT position, 'locked' FROM asked JOIN queued USING (org_id, project_id) WHERE NOT is_joined`,
  row: { position: 'int4', outcome: narrowed<'stored' | 'locked'>('text') },
});
