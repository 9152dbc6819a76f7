import { sql, unindexed } from '@loci/persistence';
import { SCHEMA } from '../database.js';
import { adjacentEpisode, BELONGS } from '../episodes/adjacent-episodes.js';
import { episodesByUid } from '../episodes/episodes-by-uid.js';

/**
 * Notes which episodes have their vectors in an index version, and that these tell of the right previous turn: an episode that
 * got another one meanwhile goes on waiting, and an episode behind these whose vector tells of another previous turn
 * waits again. So neither the sequence of the episodes nor concurrent indexing matters: the last statement corrects the
 * marks. The lock on the index version makes a change of the active index version wait, and what is noted behind the change
 * counts for what the index version is then; nothing is noted for an index version that is not used any more.
 *
 * Parameters: the project, the uids, beside each the uid of the previous turn of its vector (or null), the index version. It
 * answers the uids of the episodes that are there, and of which it was the first vector.
 */
export const MARK_INDEXED = sql({
  name: 'mark_indexed',
  text: `
WITH index_version AS MATERIALIZED (
  SELECT uid, state FROM ${SCHEMA}.index_spaces
  WHERE uid = $4 AND owner_uid = $1 AND state IN ('active', 'building') FOR SHARE
), given AS (
  SELECT * FROM unnest($2::uuid[], $3::uuid[]) AS given(uid, previous_uid)
), found AS (
  SELECT uid, project_uid, conversation, created_at, previous_uid, indexed_at IS NULL AND embedded_after IS NULL AS is_new
  FROM given JOIN ${episodesByUid('$1', '$2::uuid[]')} AS episodes USING (uid) WHERE ${BELONGS}
), checked AS (
  SELECT found.*, previous.uid IS NOT DISTINCT FROM previous_uid AS is_current, index_version.uid AS version_uid, index_version.state
  FROM index_version CROSS JOIN found LEFT JOIN LATERAL ${adjacentEpisode('before', 'uid', 'found')} AS previous ON true
), marked AS (
  UPDATE ${SCHEMA}.episodes SET
    indexed_at = CASE WHEN state = 'building' THEN indexed_at WHEN is_current THEN now() END,
    embedded_after = CASE WHEN state = 'building' AND indexed_at IS NOT NULL THEN embedded_after
                          ELSE checked.previous_uid END,
    -- a vector elsewhere that tells of another previous turn is outdated too
    carried_to = CASE WHEN state = 'building' THEN CASE WHEN is_current THEN version_uid END
                      WHEN embedded_after IS NOT DISTINCT FROM checked.previous_uid THEN carried_to END
  FROM checked WHERE episodes.project_uid = checked.project_uid AND episodes.uid = checked.uid AND ${unindexed(BELONGS)}
  RETURNING episodes.uid, is_new AND is_current AND state = 'active' AS is_first
), follower AS MATERIALIZED (
  SELECT next.uid, found.project_uid, found.uid AS previous_uid
  FROM found JOIN LATERAL ${adjacentEpisode('after', 'uid, embedded_after', 'found')} AS next ON true
  WHERE next.embedded_after IS DISTINCT FROM found.uid AND next.uid <> ALL ($2::uuid[])
), outdated AS (
  UPDATE ${SCHEMA}.episodes SET indexed_at = NULL, ordered_at = NULL, carried_to = NULL
  FROM follower WHERE episodes.project_uid = follower.project_uid AND episodes.uid = follower.uid
    AND embedded_after IS DISTINCT FROM follower.previous_uid
)
SELECT uid, is_first FROM marked UNION ALL SELECT uid, false FROM found WHERE NOT EXISTS (SELECT FROM index_version)`,
  row: { uid: 'uuid', is_first: 'bool' },
});
