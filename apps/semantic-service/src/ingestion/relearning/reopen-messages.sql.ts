import { sql } from '@loci/persistence';
import { SCHEMA } from '../../database.js';

/**
 * Puts messages back into the backlog that sets of a project have learned from. Their jobs are locked. Parameters: the
 * project, until when they were done, how many at most. One row: how many, and the sets that are due now.
 */
export const REOPEN_MESSAGES = sql({
  text: `
WITH chosen AS (
  SELECT message.set_uid, message.episode_uid FROM ${SCHEMA}.ingestion_messages AS message
  JOIN ${SCHEMA}.ingestion_jobs AS job USING (set_uid)
  WHERE message.project_uid = $1 AND job.project_uid = $1 AND message.done_at <= $2::timestamptz AND EXISTS (
    SELECT FROM ${SCHEMA}.ingestion_progress AS progress
    WHERE progress.set_uid = message.set_uid AND progress.episode_uid = message.episode_uid
      AND progress.outcome = 'ingested')
  LIMIT $3
), undone AS (
  DELETE FROM ${SCHEMA}.ingestion_progress AS progress USING chosen
  WHERE progress.set_uid = chosen.set_uid AND progress.episode_uid = chosen.episode_uid
    AND progress.outcome = 'ingested'
), reopened AS (
  UPDATE ${SCHEMA}.ingestion_messages AS message SET done_at = NULL FROM chosen
  WHERE message.set_uid = chosen.set_uid AND message.episode_uid = chosen.episode_uid
  RETURNING message.set_uid
), jobs AS (
  UPDATE ${SCHEMA}.ingestion_jobs AS job
  SET waiting = waiting + (SELECT count(*) FROM reopened WHERE reopened.set_uid = job.set_uid),
      state = CASE WHEN state IN ('idle', 'retrying', 'blocked') THEN 'due' ELSE state END,
      run_after = CASE WHEN state = 'running' THEN run_after ELSE now() END,
      ordered_at = now(), changed_at = now(),
      -- a pass that is under way may be past these messages: what is fresh brings about another one
      fresh = CASE WHEN state = 'running' THEN fresh + 1 ELSE fresh END,
      fresh_since = CASE WHEN state = 'running' THEN '-infinity' ELSE fresh_since END
  WHERE set_uid IN (SELECT set_uid FROM reopened) RETURNING set_uid, state)
SELECT (SELECT count(*) FROM reopened)::int AS reopened,
       ARRAY(SELECT set_uid FROM jobs WHERE state = 'due') AS due_sets`,
  row: { reopened: 'int4', due_sets: 'uuid[]' },
});
