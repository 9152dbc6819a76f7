import { sql } from '@loci/persistence';
import { SCHEMA } from '../../database.js';
import { reopenedJobs } from '../jobs/reopened-jobs.js';

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
), jobs AS (${reopenedJobs('reopened')})
SELECT (SELECT count(*) FROM reopened)::int AS reopened,
       ARRAY(SELECT set_uid FROM jobs WHERE state = 'due') AS due_sets`,
  row: { reopened: 'int4', due_sets: 'uuid[]' },
});
