import { sql } from '@loci/persistence';
import { SCHEMA } from '../../database.js';
import { isFollowed } from './followed.js';
import { OF_DELETED_EPISODES } from './forgotten-messages.js';

const JOBS = `${SCHEMA}.ingestion_jobs`;
const MESSAGES = `${SCHEMA}.ingestion_messages`;

/**
 * The set of a project contains each of its messages: those without a row were counted there. Other sets keep what they have
 * counted until they go on. It locks the jobs of all sets that lose a message, in the order of their uids. Parameters: the
 * project, the uids of its episodes, until when these were added.
 */
export const FORGET_DEFERRED = sql({
  name: 'backlog_forget_deferred',
  text: `
WITH of_project AS MATERIALIZED (
  SELECT job.set_uid FROM ${SCHEMA}.sets JOIN ${JOBS} AS job ON job.set_uid = sets.uid
  WHERE sets.project_uid = $1 AND job.deferred > 0 AND sets.kind = 'project_set' AND sets.tag_values = '{}'
), locked AS MATERIALIZED (
  SELECT set_uid, deferred FROM ${JOBS}
  WHERE set_uid IN (SELECT set_uid FROM of_project)
     OR set_uid IN (SELECT set_uid FROM ${MESSAGES} WHERE ${OF_DELETED_EPISODES}
                    AND EXISTS (SELECT FROM of_project))
  ORDER BY set_uid FOR UPDATE
), gone AS (
  SELECT set_uid, least(deferred, (
    SELECT count(DISTINCT uid)::int FROM unnest($2::uuid[]) AS uid
    WHERE NOT ${isFollowed('$3::timestamptz', 'uid')} AND NOT EXISTS (
      SELECT FROM ${MESSAGES} AS known WHERE known.set_uid = locked.set_uid AND known.episode_uid = uid))) AS messages
  FROM locked WHERE set_uid IN (SELECT set_uid FROM of_project)
)
UPDATE ${JOBS} AS job
SET waiting = job.waiting - gone.messages, deferred = job.deferred - gone.messages,
    fresh = least(job.fresh, job.waiting - gone.messages), changed_at = now(),
    deferred_since = CASE WHEN job.deferred > gone.messages THEN job.deferred_since END,
    fresh_since = CASE WHEN least(job.fresh, job.waiting - gone.messages) > 0 THEN job.fresh_since END
FROM gone WHERE job.set_uid = gone.set_uid`,
});
