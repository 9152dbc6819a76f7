import { sql, unindexed } from '@loci/persistence';
import { SCHEMA } from '../database.js';
import { adjacentEpisode } from '../episodes/adjacent-episodes.js';

/**
 * Removes tombstones. An episode whose vector tells of one of them waits for a new vector. It is the first behind one of
 * them, and looked for between that one and the next of them: the index has what is deleted until it is vacuumed, and from
 * each of many in a row the way to the first that is left would lead over all the others.
 *
 * Parameters: the project, the uids.
 */
export const DROP_TOMBSTONES = sql({
  name: 'drop_tombstones',
  text: `
WITH dropped AS (
  DELETE FROM ${SCHEMA}.episodes
  WHERE project_uid = $1 AND uid = ANY ($2::uuid[]) AND ${unindexed('deleted_at IS NOT NULL')}
  RETURNING uid, project_uid, conversation, created_at
), stretch AS (
  SELECT *, coalesce(lead(created_at) OVER in_order, 'infinity') AS until_at,
         coalesce(lead(uid) OVER in_order, uid) AS until_uid
  FROM dropped WINDOW in_order AS (PARTITION BY conversation ORDER BY created_at, uid)
), follower AS (
  SELECT stretch.project_uid, next.uid FROM stretch JOIN LATERAL ${adjacentEpisode('after', 'uid, embedded_after', 'stretch', '(created_at, uid) < (until_at, until_uid)')} AS next ON true
  WHERE next.embedded_after IN (SELECT uid FROM dropped)
)
UPDATE ${SCHEMA}.episodes SET indexed_at = NULL, ordered_at = NULL, carried_to = NULL FROM follower
WHERE episodes.project_uid = follower.project_uid AND episodes.uid = follower.uid`,
});
