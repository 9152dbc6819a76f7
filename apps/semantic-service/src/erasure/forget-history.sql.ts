import { sql } from '@loci/persistence';
import { SCHEMA } from '../database.js';
import { changeIn } from '../features/history-rows.js';

const HISTORY = `${SCHEMA}.feature_history`;

/**
 * Forgets changes that were drawn from episodes; and where one of them was a merge, all that happened to the features that took
 * part: what is left of it would bring some of them back beside what they had become. Parameters: uids of episodes, uids of entries
 * that stay.
 */
export const FORGET_HISTORY = sql({
  text: `
WITH drawn AS (
  DELETE FROM ${HISTORY} WHERE episodes && $1::uuid[] AND uid <> ALL($2::uuid[])
  RETURNING set_uid, change_uid, origin
), merged AS (
  SELECT DISTINCT part.set_uid, part.feature_uid
  FROM drawn JOIN ${HISTORY} AS part
    ON part.set_uid = drawn.set_uid AND ${changeIn('part')} = drawn.change_uid
  WHERE drawn.origin = 'consolidation'
)
DELETE FROM ${HISTORY} AS entry USING merged
WHERE entry.set_uid = merged.set_uid AND entry.feature_uid = merged.feature_uid AND entry.uid <> ALL($2::uuid[])`,
});
