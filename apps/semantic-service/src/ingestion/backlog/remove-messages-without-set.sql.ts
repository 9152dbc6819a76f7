import { sql } from '@loci/persistence';
import { SCHEMA } from '../../database.js';

/**
 * Those that were refused again meanwhile stay. In the sets that had room they are done from now on. Parameters: projects,
 * episodes, times of their refusals.
 */
export const REMOVE_MESSAGES_WITHOUT_SET = sql({
  text: `
WITH removed AS (
  DELETE FROM ${SCHEMA}.messages_without_set
  USING unnest($1::uuid[], $2::uuid[], $3::timestamptz[]) AS taken(project, episode, refused)
  WHERE project_uid = project AND episode_uid = episode AND refused_at = refused
  RETURNING project_uid, episode_uid
)
UPDATE ${SCHEMA}.ingestion_messages AS message SET done_at = now() FROM removed
WHERE message.project_uid = removed.project_uid AND message.episode_uid = removed.episode_uid
  AND message.done_at IS NOT NULL`,
});
