import { type PreparedStatement } from '@loci/persistence';
import { SCHEMA } from '../database.js';
import { adjacentEpisode, BELONGS } from '../episodes/adjacent-episodes.sql.js';

/**
 * Notes which episodes have their vectors, and that these tell of the right previous turn: an episode that got another
 * one meanwhile goes on waiting, and an episode behind these whose vector tells of another previous turn waits again.
 * So it does not matter in which order episodes come, nor who indexes them at the same time: whoever notes last puts it
 * right.
 *
 * Parameters: the project, the uids, beside each the uid of the previous turn of its vector (or null). It answers the
 * uids of the episodes that are there.
 */
export const MARK_INDEXED: PreparedStatement = {
  name: 'mark_indexed',
  sql: `
WITH given AS (
  SELECT * FROM unnest($2::uuid[], $3::uuid[]) AS given(uid, previous_uid)
), found AS (
  SELECT uid, project_uid, created_at, previous_uid
  FROM given JOIN ${SCHEMA}.episodes USING (uid) WHERE project_uid = $1 AND ${BELONGS}
), checked AS (
  SELECT found.*, previous.uid IS NOT DISTINCT FROM previous_uid AS is_current
  FROM found LEFT JOIN LATERAL ${adjacentEpisode('before', 'uid', 'found')} AS previous ON true
), marked AS (
  UPDATE ${SCHEMA}.episodes
  SET indexed_at = CASE WHEN is_current THEN now() END, embedded_after = checked.previous_uid
  FROM checked WHERE episodes.uid = checked.uid AND ${BELONGS} RETURNING episodes.uid
), follower AS (
  SELECT next.uid, found.uid AS previous_uid
  FROM found JOIN LATERAL ${adjacentEpisode('after', 'uid, embedded_after', 'found')} AS next ON true
  WHERE next.embedded_after IS DISTINCT FROM found.uid AND next.uid <> ALL ($2::uuid[])
), outdated AS (
  UPDATE ${SCHEMA}.episodes SET indexed_at = NULL, ordered_at = NULL
  FROM follower WHERE episodes.uid = follower.uid AND embedded_after IS DISTINCT FROM follower.previous_uid
)
SELECT uid FROM marked`,
};
