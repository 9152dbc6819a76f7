import { sql } from '@loci/persistence';
import { SCHEMA } from '../../database.js';
import { GIVEN_MESSAGES } from '../backlog/given-messages.js';
import { countPutBack } from '../backlog/relearning-position.sql.js';
import { reopenedJobs } from '../jobs/reopened-jobs.js';

const JOBS = `${SCHEMA}.ingestion_jobs`;
const MESSAGES = `${SCHEMA}.ingestion_messages`;

/** Jobs are locked first, in the order of their uids, as everywhere. Parameter: the messages as JSON. */
export const LOCK_JOBS_TO_REOPEN = sql({
  text: `
WITH ${GIVEN_MESSAGES}, removed AS (
  SELECT set_uid, count(*)::int AS messages FROM given WHERE NOT EXISTS (
    SELECT FROM ${MESSAGES} AS message
    WHERE message.set_uid = given.set_uid AND message.episode_uid = given.episode_uid)
  GROUP BY set_uid
), counted AS (${countPutBack(`
  SELECT job.project_uid, sum(least(job.learned, messages))::bigint AS messages
  FROM removed JOIN ${JOBS} AS job USING (set_uid) WHERE job.project_uid IS NOT NULL GROUP BY job.project_uid`)}
)
INSERT INTO ${JOBS} AS job (set_uid, org_id, project_uid) SELECT set_uid, org_id, project_uid FROM owners
ORDER BY set_uid
ON CONFLICT (set_uid) DO UPDATE
SET learned = greatest(0, job.learned - coalesce((
  SELECT messages FROM removed WHERE removed.set_uid = job.set_uid), 0))`,
});

/**
 * Puts messages back into the backlogs of sets that have learned from them, with a row where they have none any more.
 * Parameters: the messages as JSON, until when they were learned. One row: the sets that are due now, and the
 * dead letters that the messages were in.
 */
export const REOPEN_MESSAGES = sql({
  text: `
WITH ${GIVEN_MESSAGES}, undone AS (
  DELETE FROM ${SCHEMA}.ingestion_progress AS progress USING given
  WHERE progress.set_uid = given.set_uid AND progress.episode_uid = given.episode_uid
    AND outcome = 'ingested' AND at <= $2::timestamptz
  RETURNING given.set_uid, given.episode_uid, given.project_uid, progress.letter_uid
), counted AS (${countPutBack(`
  SELECT project_uid, count(DISTINCT (set_uid, episode_uid)) AS messages FROM undone GROUP BY project_uid`)}
), reopened AS (
  INSERT INTO ${MESSAGES} AS message
    (set_uid, episode_uid, org_id, project_id, project_uid, said_at, added_at, received_at, taken_at)
  SELECT set_uid, episode_uid, org_id, project_id, project_uid, said_at, added_at, received_at, now()
  FROM given ORDER BY set_uid, episode_uid
  ON CONFLICT (set_uid, episode_uid) DO UPDATE SET done_at = NULL WHERE message.done_at <= $2::timestamptz
  RETURNING set_uid
), jobs AS (${reopenedJobs('reopened')})
SELECT ARRAY(SELECT set_uid FROM jobs WHERE state = 'due') AS due_sets,
       ARRAY(SELECT DISTINCT letter_uid FROM undone WHERE letter_uid IS NOT NULL) AS letters`,
  row: { due_sets: 'uuid[]', letters: 'uuid[]' },
});
