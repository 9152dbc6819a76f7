import { sql } from '@loci/persistence';
import { instantText, SCHEMA } from '../../database.js';
import { isFollowed, isWithoutSet } from '../backlog/followed.js';
import { isRelearning } from '../backlog/relearning-position.sql.js';
import { LEFT } from './return-to-left.sql.js';

const MESSAGES = `${SCHEMA}.ingestion_messages`;

/** Whether a dead letter gives it up for a category: it may be replayed. */
const HAS_LETTER = `EXISTS (
    SELECT FROM ${SCHEMA}.ingestion_progress AS progress
    JOIN ${SCHEMA}.ingestion_dead_letters AS letter ON letter.uid = progress.letter_uid
    WHERE progress.set_uid = looked.set_uid AND progress.episode_uid = looked.episode_uid)`;

/**
 * Removes messages that are done, in the sequence in which they were, as far as the order of adding has been followed. One
 * that has to stay is done again when it no longer has to; those of a project that is being learned again are passed, and it is
 * noted where the first of them are. Parameters: behind which time, set and message, for how many ms
 * they have been done at least, how many at most. It answers where it ended, and whether there is nothing more for now.
 */
export const REMOVE_LEARNED_MESSAGES = sql({
  name: 'ingestion_remove_learned',
  text: `
WITH looked AS MATERIALIZED (
  SELECT set_uid, episode_uid, project_uid, done_at,
         bool_and(${isFollowed('added_at', 'episode_uid')}) OVER (ORDER BY done_at, set_uid, episode_uid) AS is_past,
         ${isRelearning('project_uid')} AS is_left
  FROM (SELECT * FROM ${MESSAGES}
        WHERE done_at IS NOT NULL AND done_at < now() - $4::float8 * interval '1 ms'
          AND (done_at, set_uid, episode_uid) > ($1::timestamptz, $2::uuid, $3::uuid)
        ORDER BY done_at, set_uid, episode_uid LIMIT $5) AS done
), noted AS (
  INSERT INTO ${SCHEMA}.ingestion_cursors (name, position)
  SELECT DISTINCT '${LEFT}' || project_uid, ARRAY[$1::timestamptz::text, $2::uuid::text, $3::uuid::text]
  FROM looked WHERE is_past AND is_left
  ON CONFLICT (name) DO NOTHING
), locked AS MATERIALIZED (
  SELECT set_uid FROM ${SCHEMA}.ingestion_jobs WHERE set_uid IN (SELECT set_uid FROM looked WHERE is_past AND NOT is_left)
  ORDER BY set_uid FOR UPDATE
), gone AS (
  DELETE FROM ${MESSAGES} AS message USING looked
  WHERE message.set_uid = looked.set_uid AND message.episode_uid = looked.episode_uid AND message.done_at IS NOT NULL
    AND is_past AND NOT is_left AND looked.set_uid IN (SELECT set_uid FROM locked)
    AND NOT ${HAS_LETTER} AND NOT ${isWithoutSet('looked.project_uid', 'looked.episode_uid')}
  RETURNING message.set_uid
), counted AS (
  UPDATE ${SCHEMA}.ingestion_jobs AS job SET learned = learned + messages
  FROM (SELECT set_uid, count(*)::int AS messages FROM gone GROUP BY set_uid) AS gone
  WHERE job.set_uid = gone.set_uid
)
SELECT last.done_at, last.set_uid, last.episode_uid,
       (SELECT count(*) FROM looked WHERE is_past) < $5 AS is_all
FROM (SELECT 1) AS one LEFT JOIN (
  SELECT ${instantText('done_at')} AS done_at, set_uid::text, episode_uid::text FROM looked
  WHERE is_past ORDER BY looked.done_at DESC, looked.set_uid DESC, looked.episode_uid DESC LIMIT 1) AS last ON true`,
  row: { done_at: 'text?', set_uid: 'text?', episode_uid: 'text?', is_all: 'bool' },
});
