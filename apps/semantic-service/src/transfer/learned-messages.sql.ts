import { sql } from '@loci/persistence';
import { SCHEMA } from '../database.js';
import { isFollowed, isWithoutSet } from '../ingestion/backlog/followed.js';

/**
 * Which messages have left the backlog of which set: they were taken in, and their row is gone. Parameters: the project, and
 * messages with sets that they belong to, as JSON.
 */
export const LEARNED_MESSAGES = sql({
  text: `
SELECT given.episode_uid, given.set_uid
FROM jsonb_to_recordset($2::jsonb) AS given(episode_uid uuid, set_uid uuid, added_at timestamptz)
WHERE EXISTS (SELECT FROM ${SCHEMA}.ingestion_jobs AS job WHERE job.set_uid = given.set_uid)
  AND ${isFollowed('given.added_at', 'given.episode_uid')}
  AND NOT ${isWithoutSet('$1::uuid', 'given.episode_uid')}
  AND NOT EXISTS (
    SELECT FROM ${SCHEMA}.ingestion_messages AS message
    WHERE message.set_uid = given.set_uid AND message.episode_uid = given.episode_uid)`,
  row: { episode_uid: 'uuid', set_uid: 'uuid' },
});
