import { sql } from '@loci/persistence';
import { SCHEMA } from '../database.js';

const FEATURES = `${SCHEMA}.features`;

/**
 * Notes which features, as they were read, have their vectors in an index version. The lock on the index version makes a
 * change of the active index version wait, and what is noted behind the change counts for what the index version is then;
 * nothing is noted for an index version that is not used any more.
 *
 * Parameters: the set, uids and revisions as JSON, the index version. It answers the uids of the features that are there.
 */
export const MARK_INDEXED = sql({
  name: 'mark_indexed',
  text: `
WITH index_version AS MATERIALIZED (
  SELECT uid, state FROM ${SCHEMA}.index_spaces
  WHERE uid = $3 AND owner_uid = $1 AND state IN ('active', 'building') FOR SHARE
), given AS (
  SELECT * FROM jsonb_to_recordset($2::jsonb) AS given(uid uuid, revision int)
), marked AS (
  UPDATE ${FEATURES} SET
    indexed_at = CASE WHEN state = 'active' THEN now() ELSE indexed_at END,
    carried_to = CASE WHEN state = 'building' THEN index_version.uid ELSE carried_to END
  FROM given CROSS JOIN index_version
  WHERE set_uid = $1 AND features.uid = given.uid AND features.revision = given.revision AND deleted_at IS NULL)
SELECT features.uid FROM ${FEATURES} JOIN given USING (uid) WHERE set_uid = $1 AND deleted_at IS NULL`,
  row: { uid: 'uuid' },
});
