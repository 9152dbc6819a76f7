import { sql } from '@loci/persistence';
import { MESSAGE_COLUMNS, MESSAGE_ROW } from './message-rows.js';
import { WAITING_SUSPECTS } from './unfinished-rows.js';

/** Parameters: the set, the category. */
export const NEXT_SUSPECTS = sql({
  name: 'ingestion_next_suspects',
  text: `
SELECT ${MESSAGE_COLUMNS}, failures FROM ${WAITING_SUSPECTS}
  AND category = $2 AND batch_uid = (
    SELECT batch_uid FROM ${WAITING_SUSPECTS} AND category = $2 AND retry_at <= now() ORDER BY retry_at, batch_uid LIMIT 1)
ORDER BY said_at, episode_uid`,
  row: { ...MESSAGE_ROW, failures: 'int4' },
});
