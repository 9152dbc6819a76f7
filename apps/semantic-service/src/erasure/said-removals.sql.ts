import { sql } from '@loci/persistence';
import { SCHEMA } from '../database.js';
import { HISTORY_COLUMNS, HISTORY_ROW } from '../features/history-rows.js';

/** Removals that messages asked for and that were drawn from episodes, each the last that happened to its feature. Parameter: uids of episodes. */
export const SAID_REMOVALS = sql({
  text: `
SELECT ${HISTORY_COLUMNS} FROM ${SCHEMA}.feature_history
WHERE episodes && $1::uuid[] AND said_by IS NOT NULL AND NOT EXISTS (
  SELECT FROM ${SCHEMA}.feature_history AS later
  WHERE later.set_uid = feature_history.set_uid AND later.feature_uid = feature_history.feature_uid
    AND later.uid > feature_history.uid)
ORDER BY uid`,
  row: HISTORY_ROW,
});
