import { sql } from '@loci/persistence';
import { SCHEMA } from '../database.js';
import { adjacentEpisode } from '../episodes/adjacent-episodes.js';

/**
 * Removes tombstones. An episode whose vector tells of one of them waits for a new vector.
 *
 * Parameters: the project, the uids.
 */
export const DROP_TOMBSTONES = sql({
  name: 'drop_tombstones',
  text: `
WITH dropped AS (
  DELETE FROM ${SCHEMA}.episodes WHERE project_uid = $1 AND uid = ANY ($2::uuid[]) AND deleted_at IS NOT NULL
  RETURNING uid, project_uid, conversation, created_at
), follower AS (
  SELECT dropped.project_uid, next.uid FROM dropped JOIN LATERAL ${adjacentEpisode('after', 'uid, embedded_after', 'dropped')} AS next ON true
  WHERE next.embedded_after IN (SELECT uid FROM dropped)
)
UPDATE ${SCHEMA}.episodes SET indexed_at = NULL, ordered_at = NULL, carried_to = NULL FROM follower
WHERE episodes.project_uid = follower.project_uid AND episodes.uid = follower.uid`,
});
