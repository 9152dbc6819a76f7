import { sql } from '@loci/persistence';
import { SCHEMA } from '../database.js';

/**
 * Which of some features a merge had taken away and an undo brought back, and by which change. Parameters: the set, and
 * their uids.
 */
export const TAKEN_APART = sql({
  text: `SELECT DISTINCT feature_uid, coalesce(change_uid, uid) AS change_uid FROM ${SCHEMA}.feature_history AS back
         WHERE set_uid = $1 AND feature_uid = ANY($2::uuid[]) AND origin = 'undo' AND action = 'add' AND EXISTS (
           SELECT FROM ${SCHEMA}.feature_history AS merged
           WHERE merged.set_uid = $1 AND merged.feature_uid = back.feature_uid AND merged.uid < back.uid
             AND merged.origin = 'consolidation' AND merged.action = 'remove')`,
  row: { feature_uid: 'uuid', change_uid: 'uuid' },
});
